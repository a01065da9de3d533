"""Run a plan, or one rank of it.

Without --rank, all that is left of the plan is done here. With it, this process begins with its share and continues
with tasks that no other rank has taken: so the plan is finished by however many ranks there are, and the result is the
same. Finished tasks are not done again: after an interruption, a crash or a full disk, run the plan again. If the plan
was made with --on-error skip, each rank lists at the end what was left out, and exits with status 3 if anything was.

Examples:

    ibidem run books.plan
    ibidem run books.plan --processes 2
    ibidem run books.plan --rank 0 --of 2
"""

import click

from ibidem.cli.command import command, leave_with
from ibidem.cli.options import InputPath, threads
from ibidem.cli.terminal import progress, tell
from ibidem.counts import format_count


@command(__doc__, interrupted="finished tasks are kept: run the plan again to resume it")
@click.argument("plan", type=InputPath())
@click.option("--rank", metavar="I", type=click.IntRange(0), help="Which rank this is, from 0.")
@click.option("--of", metavar="N", type=click.IntRange(1), help="How many ranks there are.")
@click.option("--processes", metavar="N", type=click.IntRange(1), help="Ranks to start on this machine.")
@click.option("--ray", metavar="ADDRESS", help="Run the tasks on this Ray cluster; 'local' starts one here.")
@click.option(
    "--lease",
    metavar="SECONDS",
    type=click.FloatRange(1),
    default=60.0,
    show_default=True,
    help="Time without a sign of life after which a rank counts as dead.",
)
@threads
def run(
    plan: str,
    rank: int | None,
    of: int | None,
    processes: int | None,
    ray: str | None,
    lease: float,
    threads: int | None,
) -> None:
    """Run the plan."""
    if (rank is None) != (of is None):
        raise click.UsageError("--rank and --of go together: which rank this is, and of how many")
    if sum(choice is not None for choice in (rank, processes, ray)) > 1:
        raise click.UsageError("--rank, --processes and --ray are three ways to run a plan; choose one")
    if ray is not None:
        from ibidem.jobs.engines.ray import run_on_ray

        with progress() as on_progress:
            report = run_on_ray(plan, ray, progress=on_progress)
    elif processes is not None:
        from ibidem.arguments import count_threads
        from ibidem.jobs.engines.processes import run_forks

        report = run_forks(plan, processes, count_threads(threads), lease)
    else:
        from ibidem.jobs.run import run_rank

        with progress() as on_progress:
            report = run_rank(plan, rank or 0, of or 1, threads=threads, progress=on_progress, lease=lease)
    tell(f"{plan}: done; {format_count(report.tasks, 'task')} in {report.seconds:.1f} s")
    tell_if_gone(plan)
    if report.failures:
        leave_with(click.get_current_context(), report.failures)


def tell_if_gone(plan: str) -> None:
    """Say so if the result of a finished plan is gone: a plan that is done does not make it again."""
    from ibidem.jobs.plan import read_plan
    from ibidem.jobs.result import is_gone

    output = read_plan(plan).output
    if is_gone(output):
        tell(f"{plan}: its result is no longer at {output}: plan the job again to make it anew")

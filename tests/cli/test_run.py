"""run: which ranks run a plan."""


def test_a_rank_is_told_of_how_many_it_is(folder, run):
    result = run("run", "books.plan", "--rank", "0")
    assert result.exit_code == 2
    assert "--rank and --of go together" in result.stderr


def test_the_ways_to_run_exclude_each_other(folder, run):
    result = run("run", "books.plan", "--processes", "2", "--ray", "local")
    assert result.exit_code == 2
    assert "choose one" in result.stderr

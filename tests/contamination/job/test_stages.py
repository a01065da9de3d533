from ibidem.contamination.job.stages import STAGES


def test_only_what_is_committed_outlives_the_work() -> None:
    assert [(stage.name, stage.bulky) for stage in STAGES] == [
        ("read", True),
        ("judge", True),
        ("write", True),
        ("commit", False),
    ]

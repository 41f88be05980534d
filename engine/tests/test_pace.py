"""How long a training still takes, by a clock that the test turns."""

from __future__ import annotations

import unittest

from neuroloom_engine.pace import ENDING_SECONDS, Left, Pace, checks_left


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def walk(pace: Pace, clock: Clock, seconds: list[float], items: int = 8) -> None:
    pace.begin()
    for each in seconds:
        clock.now += each
        pace.step(items)


class PaceTest(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = Clock()
        self.pace = Pace(self.clock)

    def left(self, **left: int) -> float:
        return self.pace.seconds_left(Left(**left)) - ENDING_SECONDS

    def test_ten_steps_tell_though_the_first_was_slow(self) -> None:
        walk(self.pace, self.clock, [9.0, 3.0, *[0.5] * 8])
        self.assertAlmostEqual(self.left(steps=100), 50)

    def test_single_slow_steps_do_not_tell(self) -> None:
        walk(self.pace, self.clock, [0.5] * 20)
        walk(self.pace, self.clock, [0.5, 30.0, 0.5, 0.5, 12.0, 0.5])
        self.assertAlmostEqual(self.left(steps=100), 50)

    def test_a_load_that_stays_tells_and_its_end_too(self) -> None:
        walk(self.pace, self.clock, [0.5] * 60)
        walk(self.pace, self.clock, [1.5] * 50)
        self.assertAlmostEqual(self.left(steps=10), 15)
        walk(self.pace, self.clock, [0.5] * 50)
        self.assertAlmostEqual(self.left(steps=10), 5)

    def test_what_lies_between_epochs_counts_for_no_step(self) -> None:
        walk(self.pace, self.clock, [0.5] * 6)
        self.clock.now += 1000
        walk(self.pace, self.clock, [0.5] * 6)
        self.assertAlmostEqual(self.left(steps=10), 5)

    def test_checks_are_reckoned_by_steps_until_one_has_told(self) -> None:
        self.pace.begin_fold(check_items=80, test_items=160)
        walk(self.pace, self.clock, [1.0] * 10, items=8)
        self.assertAlmostEqual(self.left(steps=0, checks=2), 2 * 0.5 * 10)
        self.pace.begin()
        self.clock.now += 7
        self.pace.checked()
        self.assertAlmostEqual(self.left(steps=10, checks=2, tests=1), 10 + 14 + 14)

    def test_the_ending_is_longer_beside_others(self) -> None:
        pace = Pace(self.clock, lambda: 3.0)
        walk(pace, self.clock, [0.5] * 12)
        self.assertAlmostEqual(pace.seconds_left(Left(steps=10)), 5 + 3 * ENDING_SECONDS)

    def test_items_a_second_wait_for_a_second_step(self) -> None:
        walk(self.pace, self.clock, [4.0])
        self.assertEqual(self.pace.items_per_second, 0)
        walk(self.pace, self.clock, [1.0] * 3)
        self.assertAlmostEqual(self.pace.items_per_second, 8)

    def test_checks_come_at_their_interval_and_after_the_last_epoch(self) -> None:
        cases = [(1, 10, 1), (1, 10, 3), (4, 10, 3), (10, 10, 3), (6, 12, 5), (1, 2, 9)]
        for epoch, epochs, interval in cases:
            due = sum(1 for at in range(epoch, epochs + 1) if at % interval == 0 or at == epochs)
            self.assertEqual(checks_left(epoch, epochs, interval), due, (epoch, epochs, interval))


if __name__ == "__main__":
    unittest.main()

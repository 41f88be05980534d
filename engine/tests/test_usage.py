"""What a run would have taken alone, by accounts that the test writes, and what steps cost here."""

from __future__ import annotations

import unittest

from neuroloom_engine.rates import PROBES, cost_of, measure_rates, plan_of
from neuroloom_engine.spec import Device
from neuroloom_engine.usage import Spent, Usage, spent_by_threads


class UsageTest(unittest.TestCase):
    def quiet(self, passed: float, computed: float, waited: float) -> float:
        moments = iter([100.0, 100.0 + passed])
        accounts = iter([Spent(5.0, 3.0), Spent(5.0 + computed, 3.0 + waited)])
        return Usage(lambda: next(moments), lambda: next(accounts)).quiet_seconds()

    def test_alone_all_time_counts_also_that_in_which_threads_slept(self) -> None:
        self.assertAlmostEqual(self.quiet(passed=60, computed=90, waited=0), 60)

    def test_beside_as_many_others_half_of_it_counts(self) -> None:
        self.assertAlmostEqual(self.quiet(passed=120, computed=90, waited=90), 60)

    def test_a_slowdown_is_neither_endless_nor_a_gain(self) -> None:
        moments = iter([100.0, 160.0, 160.0])
        accounts = iter([Spent(0.0, 0.0), Spent(10.0, 20.0)])
        self.assertAlmostEqual(Usage(lambda: next(moments), lambda: next(accounts)).slowdown(), 3)
        still = Usage(lambda: 5.0, lambda: Spent(0.0, 0.0))
        self.assertEqual(still.slowdown(), 1)

    def test_where_the_system_tells_nothing_all_time_counts(self) -> None:
        self.assertAlmostEqual(self.quiet(passed=120, computed=0, waited=0), 120)

    def test_the_system_tells_of_the_threads_that_are_there(self) -> None:
        spent = spent_by_threads()
        self.assertGreater(spent.computed, 0)
        self.assertGreaterEqual(spent.waited, 0)

    def test_threads_that_ended_take_nothing_off(self) -> None:
        self.assertAlmostEqual(self.quiet(passed=60, computed=-2, waited=-1), 60)


class RatesTest(unittest.TestCase):
    def test_each_kind_of_cost_is_told_by_some_step_and_takes_time(self) -> None:
        rows = measure_rates(Device("cpu", 0, 2, None))
        for row in rows:
            self.assertGreater(row["seconds"], 0)
        for kind in ("macs", "grouped", "elements", "calls", "weights"):
            self.assertTrue(any(row[kind] > 0 for row in rows), kind)

    def test_costs_are_counted_as_the_contract_counts_them(self) -> None:
        wide = cost_of(plan_of(PROBES[0]))
        # Eight pictures; three convolutions of 96 channels on 24 × 24 pixels, each activated; the mean.
        self.assertEqual(wide["macs"], 3 * 8 * 3 * 96 * 96 * 9 * 24 * 24)
        self.assertEqual(wide["elements"], 8 * (6 * 96 * 24 * 24 + 96))
        self.assertEqual((wide["grouped"], wide["calls"]), (0, 7))


if __name__ == "__main__":
    unittest.main()

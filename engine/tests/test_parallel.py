"""A batch is learned from in two halves, and the gradient is that of the whole."""

from __future__ import annotations

import unittest

import torch
import torch.nn.functional as F
from torch import Tensor

from neuroloom_engine.network import Network, build_network
from neuroloom_engine.parallel import Gradients
from neuroloom_engine.rates import Probe, plan_of
from neuroloom_engine.spec import parse_plan
from neuroloom_engine.tasks.losses import Loss

CPU = torch.device("cpu")
CHANNELS = 4


class Watched(Gradients):
    """Tells how many images each pass saw."""

    sizes: list[int]

    def _backward(
        self, network: Network, images: Tensor, targets: Tensor, criterion: Loss, share: float
    ) -> float:
        self.sizes.append(len(images))
        return super()._backward(network, images, targets, criterion, share)


def watched(threads: int) -> Watched:
    plan = parse_plan(plan_of(Probe(CHANNELS, 8, 2, is_normalised=False)))
    gradients = Watched(build_network(plan, "classification", 7), CPU, threads)
    gradients.sizes = []
    return gradients


def batch(count: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(5)
    return torch.randn(count, CHANNELS, 8, 8, generator=generator), torch.arange(count) % CHANNELS


class ParallelTest(unittest.TestCase):
    def setUp(self) -> None:
        self.addCleanup(torch.set_num_threads, torch.get_num_threads())

    def test_halves_hold_at_least_three(self) -> None:
        for count, halves in ((9, [4, 5]), (8, [4, 4]), (7, [3, 4]), (6, [3, 3]), (5, [5]), (1, [1])):
            with self.subTest(count):
                gradients = watched(threads=2)
                gradients.train()
                gradients.compute(*batch(count), F.cross_entropy)
                gradients.settle()
                self.assertEqual(sorted(gradients.sizes), halves)

    def test_the_gradient_is_that_of_the_whole_whatever_the_threads(self) -> None:
        images, targets = batch(7)
        for threads in (1, 2):
            with self.subTest(threads=threads):
                gradients = watched(threads)
                gradients.train()
                loss = gradients.compute(images, targets, F.cross_entropy)
                gradients.settle()
                whole = F.cross_entropy(gradients.network(images)[0], targets)
                self.assertAlmostEqual(loss, whole.item(), places=5)
                parameters = list(gradients.network.parameters())
                for parameter, wanted in zip(parameters, torch.autograd.grad(whole, parameters), strict=True):
                    assert parameter.grad is not None
                    torch.testing.assert_close(parameter.grad, wanted, rtol=1e-4, atol=1e-6)


if __name__ == "__main__":
    unittest.main()

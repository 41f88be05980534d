"""Every operation of the catalogue has a builder that learns what the catalogue says.

Layers keep their promises.
"""

from __future__ import annotations

import json
import unittest
from typing import Any

import torch
from torch import nn

from neuroloom_engine.layers.convolution import DoublingDeconv
from neuroloom_engine.layers.registry import BUILDERS, Params
from neuroloom_engine.layers.shaping import Shuffle, Unshuffle
from neuroloom_engine.network import count_buffers, count_learnable
from neuroloom_engine.spec import TensorType

from .make import CATALOGUE

MAP = TensorType("map", 8, size=(8, 8))
VEC = TensorType("vec", 8)
SEQ = TensorType("seq", 8, tokens=16)
KINDS = {"map": MAP, "vec": VEC, "seq": SEQ}
# Where the catalogue's default does not fit the small input, or is worked out from other parameters.
OVERRIDES: dict[str, dict[str, Any]] = {
    "conv": {"pad": [1, 1]},
    "dwconv": {"pad": [1, 1]},
    "maxpool": {"stride": [2, 2]},
    "avgpool": {"stride": [2, 2]},
    "to_map": {"channels": 2, "size": [2, 2]},
    "window_attention": {"heads": 2, "window": 4, "shift": 2},
    "patches": {"size": [4, 4], "dim": 12},
    "slice": {"to": 3},
}


class LayersTest(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(0)
        self.catalogue = json.loads(CATALOGUE.read_text())

    def test_every_catalogue_operation_has_a_builder_and_no_builder_is_left_over(self) -> None:
        self.assertEqual(set(self.catalogue), set(BUILDERS))

    def test_every_operation_builds_and_answers_a_batch_for_each_kind_of_tensor_it_takes(self) -> None:
        for op, entry in self.catalogue.items():
            for kind in entry["in"][0]["kinds"].split("|"):
                with self.subTest(op=op, kind=kind):
                    types = input_types(entry, KINDS[kind])
                    module = BUILDERS[op](Params(op, default_params(op, entry)), types)
                    inputs = [torch.randn(2, *each.shape, requires_grad=True) for each in types]
                    output = module(*inputs)
                    self.assertEqual(output.shape[0], 2)
                    self.assertTrue(torch.isfinite(output).all())
                    output.sum().backward()

    def test_batch_norm_and_attention_learn_what_the_catalogue_says(self) -> None:
        bn = BUILDERS["bn"](Params("bn", {"eps": 1e-5, "momentum": 0.1, "affine": True}), [MAP])
        self.assertEqual((count_learnable(bn), count_buffers(bn)), (16, 16))
        params = Params("attention", {"heads": 2, "qkvbias": True, "drop": 0.0})
        context = TensorType("seq", 6, tokens=5)
        # c·c + 2·c·context + 3c + c·c + c, and the same with its own channels as context
        self.assertEqual(
            count_learnable(BUILDERS["attention"](params, [SEQ, context])), 64 + 96 + 24 + 64 + 8
        )
        self.assertEqual(count_learnable(BUILDERS["attention"](params, [SEQ])), 4 * 64 + 4 * 8)

    def test_the_doubling_deconvolution_equals_torch_in_values_and_gradients(self) -> None:
        ours = DoublingDeconv(6, 4, 2, 2)
        theirs = nn.ConvTranspose2d(6, 4, 2, 2)
        theirs.load_state_dict(ours.state_dict())
        x = torch.randn(2, 6, 5, 7).contiguous(memory_format=torch.channels_last)
        a, b = ours(x), theirs(x)
        torch.testing.assert_close(a, b)
        weight = torch.randn_like(a)
        (a * weight).sum().backward()
        (b * weight).sum().backward()
        torch.testing.assert_close(ours.weight.grad, theirs.weight.grad)
        torch.testing.assert_close(ours.bias.grad, theirs.bias.grad)  # type: ignore[union-attr]

    def test_pixel_shuffle_for_any_rank_equals_torch_in_two_dimensions_and_is_undone(self) -> None:
        x = torch.randn(2, 12, 3, 5)
        torch.testing.assert_close(Shuffle(2, 2)(x), nn.PixelShuffle(2)(x))
        torch.testing.assert_close(Unshuffle(2, 2)(nn.PixelShuffle(2)(x)), x)
        volume = torch.randn(1, 16, 2, 3, 4)
        torch.testing.assert_close(Unshuffle(2, 3)(Shuffle(2, 3)(volume)), volume)

    def test_shifted_windows_do_not_mix_pixels_from_opposite_edges(self) -> None:
        params = Params("window_attention", {"heads": 2, "window": 4, "shift": 2, "qkvbias": True})
        module = BUILDERS["window_attention"](params, [MAP])
        x = torch.randn(1, 8, 8, 8)
        moved = x.clone()
        moved[:, :, 7, :] += 1  # the bottom row reaches windows at the bottom only
        difference = (module(x) - module(moved)).abs().amax((0, 1, 3))
        self.assertLess(float(difference[:6].max()), 1e-4)
        self.assertGreater(float(difference[6:].max()), 1e-3)


def input_types(entry: dict[str, Any], first: TensorType) -> list[TensorType]:
    ports = entry["in"]
    if "many" in ports[0]:
        return [first] * 2
    if len(ports) == 2 and ports[1]["name"] == "ref":
        return [first, TensorType("map", 3, size=(4, 4))]
    return [first] * len(ports)


def default_params(op: str, entry: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, rule in entry.get("params", {}).items():
        default = rule["def"]
        values[name] = [default] * 2 if rule["t"] == "axis" and not isinstance(default, list) else default
    return values | OVERRIDES.get(op, {})


if __name__ == "__main__":
    unittest.main()

"""Writes what leaves a run: weights, the ONNX network with its normalisation inside, tables and archives."""

from __future__ import annotations

import csv
import inspect
import io
import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from . import safetensors
from .checkpoint import write_durably
from .deployed import Answering, Deployed
from .events import Emitter
from .network import Network
from .onnx_bytes import metadata_entry, with_default
from .spec import NetworkSpec, TensorType
from .tasks.result import ItemResult, Table

OPSET = 17


def save_weights(path: Path, tensors: Mapping[str, Tensor], about: Mapping[str, Any]) -> str:
    """Names are node paths; `about` is everything needed to use them. Returns the file's SHA-256."""
    part = path.with_name(path.name + ".part")
    sha256 = safetensors.save(part, tensors, {"neuroloom": json.dumps(about, sort_keys=True)})
    part.replace(path)
    return sha256


def load_weights(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    tensors, metadata = safetensors.load(path)
    return tensors, json.loads(metadata["neuroloom"])


def save_onnx(path: Path, network: Network, deployed: Deployed, about: Mapping[str, Any]) -> None:
    """Opset 17, any batch size, any image size where the network allows it.

    The same facts as JSON beside it.
    """
    module = deployed.module
    takes_moments = isinstance(module, Answering) and module.takes_moments
    extra = {"moments": torch.zeros(2)} if takes_moments else {}
    written, is_size_free = write_onnx(module, network, inputs_of(network), list(deployed.outputs), extra)
    for name in extra:
        written = with_default(written, name, [0.0, 0.0])
    facts = facts_of(network, deployed, about, is_size_free)
    if takes_moments:
        facts["moments"] = {
            "name": "moments",
            "shape": [2],
            "optional": True,
            "note": "mean and deviation of the whole image in 0..1, for tiles and padded images; "
            "left out or 0, those of what is given count",
        }
    text = json.dumps(facts, sort_keys=True)
    write_durably(path, written + metadata_entry("neuroloom", text))
    write_durably(path.with_suffix(".json"), json.dumps(facts, indent=1, sort_keys=True).encode())


def facts_of(
    network: Network, deployed: Deployed, about: Mapping[str, Any], is_size_free: bool
) -> dict[str, Any]:
    """What whoever runs the exported network must know, as JSON."""
    where = {"normalisation": {**about["normalisation"], "where": "inside the network"}}
    return usage_of(network, deployed, about, is_size_free) | where


def usage_of(
    network: Network, deployed: Deployed, about: Mapping[str, Any], is_size_free: bool
) -> dict[str, Any]:
    """What whoever runs the network with its weights must know: also what is done before and after it."""
    told = [
        {
            "name": name,
            "shape": ["batch", *image.shape],
            "layout": "NCDHW" if len(image.size) == 3 else "NCHW",
            "range": list(deployed.range),
            "note": deployed.pixels,
            "sizeFree": is_size_free,
            "sizeMultiple": network.size_multiple,
        }
        for name, image in inputs_of(network).items()
    ]
    return dict(about) | {
        "heads": list(network.heads),
        **({"input": told[0]} if len(told) == 1 else {"inputs": told}),
        "outputs": [{"name": name, **of} for name, of in deployed.outputs.items()],
    }


def inputs_of(network: Network) -> dict[str, TensorType]:
    """A lone one is called `image`, whatever it is in the drawing; several keep their names."""
    inputs = network.plan.inputs
    return dict(inputs) if len(inputs) > 1 else {"image": network.input_type}


def save_graph(path: Path, network: Network) -> None:
    """The network as drawn: its inputs and heads by their names, no normalisation, no probabilities."""
    written, _ = write_onnx(network, network, network.plan.inputs, list(network.heads))
    write_durably(path, written)


# Of one sample, behind the channels, by their number; a lone one may as well be the channels of a sequence.
AXES = {2: ("height", "width"), 3: ("depth", "height", "width")}


def write_onnx(
    module: nn.Module,
    network: Network,
    inputs: Mapping[str, TensorType],
    outputs: list[str],
    extra: Mapping[str, Tensor] | None = None,
) -> tuple[bytes, bool]:
    """Any batch size, and any size of pictures where the network and torch's exporter allow it: then true.

    `extra`: further inputs of a fixed size, behind those of the plan.
    """
    further = dict(extra or {})
    samples = tuple(torch.zeros(1, *kind.shape) for kind in inputs.values())
    names = [*inputs, *further], outputs
    module.eval()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = module(*samples, *further.values())
        answers = [answer] if isinstance(answer, Tensor) else list(answer)
        named = dict(zip([*inputs, *outputs], [*samples, *answers], strict=True))
        if network.is_size_free:
            try:
                axes = sized_axes(named)
                return run_exporter(module, (*samples, *further.values()), names, axes), True
            except RuntimeError:
                # With open sizes torch loses the number of channels behind some layers.
                pass
        batch_only = {name: {0: "batch"} for name in named}
        return run_exporter(module, (*samples, *further.values()), names, batch_only), False


def run_exporter(
    module: nn.Module,
    samples: tuple[Tensor, ...],
    names: tuple[list[str], list[str]],
    axes: Mapping[str, dict[int, str]],
) -> bytes:
    # Newer torch has another exporter, which needs further packages.
    newer = "dynamo" in inspect.signature(torch.onnx.export).parameters
    extra: dict[str, Any] = {"dynamo": False} if newer else {}
    buffer = io.BytesIO()
    torch.onnx.export(
        module,
        samples,
        buffer,  # type: ignore[arg-type]
        opset_version=OPSET,
        input_names=names[0],
        output_names=names[1],
        dynamic_axes=axes,
        **extra,
    )
    return buffer.getvalue()


def sized_axes(named: Mapping[str, Tensor]) -> dict[str, dict[int, str]]:
    """Open axes of each input and output; equal names promise equal sizes, the first input's at that."""
    first = next(iter(named.values())).shape[2:]
    axes: dict[str, dict[int, str]] = {}
    for name, tensor in named.items():
        sides = AXES.get(tensor.dim() - 2, ())
        own = sides if tensor.shape[2:] == first else [f"{name}_{side}" for side in sides]
        axes[name] = {0: "batch"} | dict(enumerate(own, start=2))
        if len(first) > 1 and tensor.dim() == 3:
            # A list made of a picture, such as that of all its cells, grows with it.
            axes[name][1] = f"{name}_length"
    return axes


class InOrder(nn.Module):
    """A tuple where the exported module gives a list: traces hold no lists."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, *images: Tensor) -> Tensor | tuple[Tensor, ...]:
        answer = self.module(*images)
        return answer if isinstance(answer, Tensor) else tuple(answer)


def save_torchscript(path: Path, network: Network, deployed: Deployed, about: Mapping[str, Any]) -> None:
    """Traced and frozen, kept only when it answers as the network does, also to several images at once.

    The facts lie in it as the extra file `neuroloom.json`.
    """
    module = InOrder(deployed.module).eval()
    shapes = [kind.shape for kind in network.input_types]
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        traced = torch.jit.freeze(
            torch.jit.trace(module, tuple(torch.rand(1, *shape) for shape in shapes), check_trace=False),
            # Else layers are merged, and what hangs on the last digit, such as the peaks of a map, moves.
            optimize_numerics=False,
        )
        if not answers_alike(traced, module, [(2, *shape) for shape in shapes]):
            raise RuntimeError("the traced network answers otherwise")
        larger = [
            (1, shape[0], *(side + of for side, of in zip(shape[1:], network.size_multiple, strict=True)))
            for shape in shapes
        ]
        is_size_free = network.is_size_free and answers_alike(traced, module, larger)
    facts = facts_of(network, deployed, about, is_size_free)
    buffer = io.BytesIO()
    torch.jit.save(traced, buffer, _extra_files={"neuroloom.json": json.dumps(facts, sort_keys=True)})
    write_durably(path, buffer.getvalue())


def answers_alike(traced: Any, module: nn.Module, shapes: Sequence[tuple[int, ...]]) -> bool:
    images = [torch.rand(*shape) for shape in shapes]
    try:
        found, wanted = traced(*images), module(*images)
    except RuntimeError:
        return False
    pairs = [(found, wanted)] if isinstance(wanted, Tensor) else list(zip(found, wanted, strict=True))
    return all(
        one.shape == other.shape and torch.allclose(one, other, rtol=1e-3, atol=1e-4) for one, other in pairs
    )


def save_results(
    emitter: Emitter, spec: NetworkSpec, results: tuple[Sequence[ItemResult], dict[str, Any], Table]
) -> None:
    """What was said of each item, what makes it defensible, and the items as a table."""
    items, evidence, table = results
    for kind, value in (("items", [item.to_json() for item in items]), ("evidence", evidence)):
        path = spec.out / f"{kind}.json"
        write_durably(path, json.dumps(value, allow_nan=False).encode())
        announce(emitter, kind, spec.folder, path)
    save_table(spec.out / "predictions.csv", table)
    announce(emitter, "predictions_csv", spec.folder, spec.out / "predictions.csv")


def save_table(path: Path, table: Table) -> None:
    """CSV that spreadsheet programs open in the right encoding and never take for formulas."""
    text = io.StringIO()
    csv.writer(text).writerows([safe_cell(cell) for cell in row] for row in table)
    write_durably(path, text.getvalue().encode("utf-8-sig"))


def safe_cell(cell: str | float | None) -> str | float:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return round(cell, 6)
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def announce(emitter: Emitter, kind: str, folder: Path, path: Path) -> str:
    """The artifact event of a finished file; returns its SHA-256."""
    sha256 = safetensors.file_sha256(path)
    name = path.relative_to(folder).as_posix()
    emitter.emit("artifact", kind=kind, path=name, sha256=sha256, bytes=path.stat().st_size)
    return sha256


def try_exports(
    emitter: Emitter, spec: NetworkSpec, network: Network, deployed: Deployed, about: Mapping[str, Any]
) -> None:
    """ONNX and TorchScript.

    A network that torch cannot write as one of them is still trained: that is a warning and no failure.
    """
    deployed.module.cpu()
    ways = {
        "onnx": (spec.out / "model.onnx", save_onnx),
        "torchscript": (spec.out / "model.pt", save_torchscript),
    }
    for kind, (path, save) in ways.items():
        try:
            save(path, network, deployed, about)
        except (RuntimeError, TypeError, ValueError) as error:
            reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
            emitter.emit("warning", code=f"{kind}_unavailable", data={"reason": reason})
        else:
            announce(emitter, kind, spec.folder, path)

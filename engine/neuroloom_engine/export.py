"""Writes what leaves a run: weights, the ONNX network with its normalisation inside, tables and archives."""

from __future__ import annotations

import csv
import inspect
import io
import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from . import safetensors
from .checkpoint import write_durably
from .deployed import Deployed
from .events import Emitter
from .network import Network
from .spec import NetworkSpec, TensorType
from .tasks.result import Table

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
    image = network.input_type
    written, is_size_free = write_onnx(deployed.module, network, {"image": image}, list(deployed.outputs))
    facts = dict(about) | {
        "input": {
            "name": "image",
            "shape": ["batch", *image.shape],
            "layout": "NCDHW" if len(image.size) == 3 else "NCHW",
            "range": [0, 1],
            "note": deployed.pixels,
            "sizeFree": is_size_free,
            "sizeMultiple": network.size_multiple,
        },
        "outputs": [{"name": name, **of} for name, of in deployed.outputs.items()],
        "normalisation": {**about["normalisation"], "where": "inside the network"},
    }
    text = json.dumps(facts, sort_keys=True)
    write_durably(path, written + metadata_entry("neuroloom", text))
    write_durably(path.with_suffix(".json"), json.dumps(facts, indent=1, sort_keys=True).encode())


def save_graph(path: Path, network: Network) -> None:
    """The network as drawn: its inputs and heads by their names, no normalisation, no probabilities."""
    written, _ = write_onnx(network, network, network.plan.inputs, list(network.heads))
    write_durably(path, written)


# Of one sample, behind the channels, by their number; a lone one may as well be the channels of a sequence.
AXES = {2: ("height", "width"), 3: ("depth", "height", "width")}


def write_onnx(
    module: nn.Module, network: Network, inputs: Mapping[str, TensorType], outputs: list[str]
) -> tuple[bytes, bool]:
    """Any batch size, and any size of pictures where the network and torch's exporter allow it: then true."""
    samples = tuple(torch.zeros(1, *kind.shape) for kind in inputs.values())
    module.eval()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = module(*samples)
        answers = [answer] if isinstance(answer, Tensor) else list(answer)
        named = dict(zip([*inputs, *outputs], [*samples, *answers], strict=True))
        if network.is_size_free:
            try:
                return run_exporter(module, samples, (list(inputs), outputs), sized_axes(named)), True
            except RuntimeError:
                # With open sizes torch loses the number of channels behind some layers.
                pass
        batch_only = {name: {0: "batch"} for name in named}
        return run_exporter(module, samples, (list(inputs), outputs), batch_only), False


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


def metadata_entry(key: str, value: str) -> bytes:
    """A `metadata_props` entry in protobuf's wire form.

    Appended bytes are read as one more entry of the list.
    """
    pair = b"".join(
        bytes([number << 3 | 2]) + varint(len(data)) + data
        for number, data in ((1, key.encode()), (2, value.encode()))
    )
    return bytes([14 << 3 | 2]) + varint(len(pair)) + pair


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


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


def try_onnx(
    emitter: Emitter, spec: NetworkSpec, network: Network, deployed: Deployed, about: Mapping[str, Any]
) -> None:
    """A network that torch cannot write as ONNX is still trained: that is a warning and no failure."""
    path = spec.out / "model.onnx"
    try:
        save_onnx(path, network, deployed, about)
    except (RuntimeError, TypeError, ValueError) as error:
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        emitter.emit("warning", code="onnx_unavailable", data={"reason": reason})
        return
    announce(emitter, "onnx", spec.folder, path)

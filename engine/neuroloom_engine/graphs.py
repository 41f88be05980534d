"""Answers questions about plans with what PyTorch really does: the other side of the contract's own rules.

`python -m neuroloom_engine.graphs` reads one question a line (JSON, standard input) and writes one answer
a line. Real CPU tensors only, because torch's shape-only device accepts what its kernels refuse.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils._python_dispatch import TorchDispatchMode

from . import export, safetensors
from .layers.registry import BUILDERS, Params, ports_in_order
from .network import Network, build, channels_last, count_buffers, count_learnable
from .precision import HALF_OPS, Precision
from .spec import Plan, TensorType, parse_plan, parse_type

Json = dict[str, Any]
BATCH = 2


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    # No print of a library may break a line.
    os.dup2(2, 1)
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = QUESTIONS[question["ask"]](question)
        except Exception as error:
            answer = {"error": reason_of(error)}
        answers.write(json.dumps(answer | {"id": question["id"]}) + "\n")
        answers.flush()


def reason_of(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:300] if lines else ''}"


def nodes(question: Json) -> Json:
    """Shape (without the batch), learnable numbers and buffers of every node, in train mode."""
    plan = parse_plan(question["plan"])
    torch.manual_seed(0)
    types = {f"@{name}": kind for name, kind in plan.inputs.items()}
    values = {name: random_batch(kind, BATCH) for name, kind in types.items()}
    types |= {node.id: node.type for node in plan.nodes}
    found: list[Any] = []
    at = ""
    try:
        modules: dict[str, nn.Module] = {}
        for node in plan.nodes:
            at = f"{node.id} ({node.op})"
            if not node.share:
                modules[node.id] = build(node, types)
        for node in plan.nodes:
            at = f"{node.id} ({node.op})"
            owner = modules[node.share or node.id]
            with torch.no_grad():
                output = owner(*[values[source] for source in ports_in_order(node.op, node.inputs)])
            values[node.id] = output
            batch, *shape = output.shape
            counts = [count_learnable(owner), count_buffers(owner)]
            found.append([shape if batch == BATCH else [batch, *shape], *counts])
    except Exception as error:
        return {"nodes": found, "error": f"{at}: {reason_of(error)}"}
    return {"nodes": found}


def layer(question: Json) -> Json:
    """Whether torch takes this layer with these inputs, whatever the contract thinks of it."""
    kinds = [parse_type(kind) for kind in question["inputs"]]
    torch.manual_seed(0)
    module = BUILDERS[question["op"]](Params(question["op"], question["params"]), kinds)
    with torch.no_grad():
        output = module(*[random_batch(kind, BATCH) for kind in kinds])
    return {"shape": list(output.shape)}


def counts(question: Json) -> Json:
    """Learnable numbers and buffers of the whole network, as it would be trained."""
    network = Network(parse_plan(question["plan"]))
    return {"learn": count_learnable(network), "buffers": count_buffers(network)}


def costs(question: Json) -> Json:
    """Bytes that autograd keeps for one sample more in the batch, and multiply-adds of one sample."""
    plan = parse_plan(question["plan"])
    torch.manual_seed(0)
    network = channels_last(Network(plan))
    kept = [kept_bytes(network, random_inputs(plan, batch)) for batch in (BATCH, BATCH + 1)]
    with torch.no_grad(), MultiplyAdds() as macs:
        network(*random_inputs(plan, BATCH))
    is_fused = hasattr(F, "scaled_dot_product_attention")
    return {"kept": kept[1] - kept[0], "macs": macs.total / BATCH, "isFused": is_fused}


def kept_bytes(network: Network, inputs: list[Tensor]) -> int:
    own = {storage_of(tensor)[0] for tensor in (*network.parameters(), *network.buffers())}
    seen: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        address, size = storage_of(tensor)
        if address not in own:
            seen[address] = size
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        outputs = network(*inputs)
    assert outputs
    return sum(seen.values())


def storage_of(tensor: Tensor) -> tuple[int, int]:
    """Address and bytes of the memory that a tensor (or the tensor it is a view of) lies in."""
    storage = getattr(tensor, "untyped_storage", tensor.storage)()
    return storage.data_ptr(), storage.nbytes()


class MultiplyAdds(TorchDispatchMode):
    """Counts the products of convolutions and matrix products, whoever asks for them."""

    def __init__(self) -> None:
        super().__init__()
        self.total = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        name = func.__name__.split(".")[0]
        if name == "convolution":
            pixels, weight, is_transposed = args[0], args[1], args[6]
            self.total += (pixels if is_transposed else out).numel() * weight[0].numel()
        elif name in ("mm", "bmm"):
            self.total += args[0].numel() * args[1].shape[-1]
        elif name in ("addmm", "baddbmm"):
            self.total += args[1].numel() * args[2].shape[-1]
        elif name.startswith("_scaled_dot_product"):
            self.total += 2 * args[0].numel() * args[1].shape[-2]
        return out


def code(question: Json) -> Json:
    """How far a generated file's outputs are from the engine's, with the same weights read from disk."""
    plan = parse_plan(question["plan"])
    torch.manual_seed(question.get("seed", 0))
    network = Network(plan)
    shake(network)
    network.eval()
    weights = Path(question["weights"])
    safetensors.save(weights, network.state_dict(), {"neuroloom": "{}"})
    names: Json = {"__name__": "generated"}
    exec(compile(question["code"], "generated.py", "exec"), names)
    net = names["Net"]()
    names["load_weights"](net, weights)
    net.eval()
    inputs = random_inputs(plan, BATCH)
    with torch.inference_mode():
        ours, theirs = network(*inputs), net(*inputs)
    outputs = theirs if isinstance(theirs, dict) else {next(iter(network.heads)): theirs}
    if list(outputs) != list(plan.heads):
        return {"error": f"heads {list(outputs)}, expected {list(plan.heads)}"}
    pairs = [(outputs[name], value) for name, value in zip(network.heads, ours, strict=True)]
    learn = sum(parameter.numel() for parameter in net.parameters())
    return {"isEqual": all(torch.equal(a, b) for a, b in pairs), "difference": apart(pairs), "learn": learn}


def apart(pairs: list[tuple[Tensor, Tensor]]) -> float:
    return max(float((a - b).abs().max()) if a.shape == b.shape else float("inf") for a, b in pairs)


def shake(network: Network) -> None:
    """First weights hide mistakes (norms that do nothing, statistics of 0 and 1): all become different."""
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.05)
        for name, buffer in network.named_buffers():
            if name.endswith("running_mean"):
                buffer.add_(torch.randn_like(buffer) * 0.1)
            if name.endswith("running_var"):
                buffer.mul_(1 + torch.rand_like(buffer))


def step(question: Json) -> Json:
    """One step of training towards random targets: what got no gradient, no finite one, or did not move.

    With `half`, layers compute in the 16 bits of a processor.
    """
    plan = parse_plan(question["plan"])
    torch.manual_seed(0)
    network = Network(plan)
    before = {name: value.detach().clone() for name, value in network.named_parameters()}
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3)
    precision = Precision("cpu", torch.bfloat16 if question.get("half") else None)
    with precision.layers():
        outputs = network(*random_inputs(plan, BATCH))
    loss = torch.stack([(output - torch.randn_like(output)).square().mean() for output in outputs]).sum()
    loss.backward()
    gradients = {name: value.grad for name, value in network.named_parameters()}
    optimizer.step()
    return {
        "loss": float(loss) if loss.isfinite() else None,
        "without": [name for name, gradient in gradients.items() if gradient is None],
        "wild": [
            name for name, grad in gradients.items() if grad is not None and not bool(grad.isfinite().all())
        ],
        "still": [name for name, value in network.named_parameters() if torch.equal(value, before[name])],
    }


def half(question: Json) -> Json:
    """Operations that processors may compute in 16 bits."""
    return {"ops": sorted(HALF_OPS)}


def onnx(question: Json) -> Json:
    """Writes the network as ONNX, with a random sample and torch's own answer beside it as raw numbers."""
    plan = parse_plan(question["plan"])
    torch.manual_seed(0)
    network = Network(plan)
    shake(network)
    network.eval()
    folder = Path(question["folder"])
    export.save_graph(folder / "model.onnx", network)
    # Another batch than the one it was written with.
    inputs = random_inputs(plan, BATCH)
    with torch.inference_mode():
        outputs = network(*inputs)
    tensors = dict(zip(plan.inputs, inputs, strict=True)) | dict(zip(network.heads, outputs, strict=True))
    for name, tensor in tensors.items():
        (folder / f"{name}.f32").write_bytes(safetensors.raw_bytes(tensor.contiguous()))
    shapes = {name: list(tensor.shape) for name, tensor in tensors.items()}
    return {"inputs": list(plan.inputs), "outputs": list(network.heads), "shapes": shapes}


def random_inputs(plan: Plan, batch: int) -> list[Tensor]:
    return [random_batch(kind, batch) for kind in plan.inputs.values()]


def random_batch(kind: TensorType, batch: int) -> Tensor:
    """Pictures in the layout that training gives them."""
    sample = torch.randn(batch, *kind.shape)
    return sample.contiguous(memory_format=torch.channels_last) if sample.dim() == 4 else sample


QUESTIONS: Mapping[str, Callable[[Json], Json]] = {
    "nodes": nodes,
    "layer": layer,
    "counts": counts,
    "costs": costs,
    "code": code,
    "step": step,
    "onnx": onnx,
    "half": half,
}

if __name__ == "__main__":
    main()

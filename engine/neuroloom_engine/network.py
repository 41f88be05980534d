"""Turns a plan into a module whose parts are named by the plan's paths.

PyTorch, not this file, decides shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from .failures import RunFailure
from .layers import activation, convolution, merging, normalisation, pooling, shaping, tokens, window
from .layers.registry import BUILDERS, Params, ports_in_order
from .spec import Head, Plan, PlanNode, SpecError, TensorType

# Imported for their builders.
LAYER_FILES = (activation, convolution, merging, normalisation, pooling, shaping, tokens, window)

# Activations that torch can run in place, and producers that do not need their own output for the gradient.
IN_PLACE = {"relu", "relu6", "leaky"}
SPARES_OUTPUT = {"conv", "dwconv", "bn", "gn", "add", "sub", "linear"}

# Operations whose result or parameters are tied to the plan's own size.
FIXED_SIZE = {
    "to_map",
    "resize",
    "pos_embed",
    "window_attention",
    "tokens_to_map",
    "adaptavg",
    "adaptmax",
    "attention",
}

# What networks call the tasks whose samples have several images, and these by name. In training they come as
# one tensor with all their channels, in this order.
SEVERAL_INPUTS = {"flow": ("velocity", "magnitude")}


@dataclass(frozen=True)
class Step:
    module: str
    sources: tuple[int, ...]
    target: int
    done_with: tuple[int, ...]
    # Gives what a head answers.
    is_head: bool


class Network(nn.Module):
    """Runs the plan's nodes in order and returns the outputs of the heads, the main one first.

    `task` chooses its heads; without one, all of them answer.
    """

    def __init__(self, plan: Plan, task: str | None = None) -> None:
        super().__init__()
        self.plan = plan
        self.task = task
        self.heads = heads_of(plan, task)
        self.input_types = tuple(plan.inputs.values())
        self.input_type = self.input_types[0]
        types: dict[str, TensorType] = {f"@{name}": kind for name, kind in plan.inputs.items()}
        owner: dict[str, str] = {}
        for node in plan.nodes:
            owner[node.id] = owner.get(node.share, node.share) if node.share else node.id
            if not node.share:
                # Past `add_module`, which refuses ids such as `type` that are also attributes of a module.
                self._modules[node.id] = build(node, types)
            types[node.id] = node.type
        self._compile(owner)

    def _compile(self, owner: dict[str, str]) -> None:
        """Numbers the tensors and notes after which step each can be forgotten."""
        slots = {f"@{name}": index for index, name in enumerate(self.plan.inputs)}
        for node in self.plan.nodes:
            slots[node.id] = len(slots)
        kept = {head.source for head in self.heads.values()}
        uses = Counter(source for node in self.plan.nodes for source in node.inputs.values())
        left = dict(uses)
        self.steps: list[Step] = []
        ops = {node.id: node.op for node in self.plan.nodes}
        shared = {node.share for node in self.plan.nodes}
        for node in self.plan.nodes:
            sources = ports_in_order(node.op, node.inputs)
            for source in sources:
                left[source] -= 1
            done = tuple(slots[source] for source in set(sources) if left[source] == 0 and source not in kept)
            taken = tuple(slots[source] for source in sources)
            self.steps.append(Step(owner[node.id], taken, slots[node.id], done, node.id in kept))
            source = sources[0]
            is_spare = ops.get(source) in SPARES_OUTPUT and uses[source] == 1 and source not in kept
            if node.op in IN_PLACE and is_spare and not node.share and node.id not in shared:
                self.layer(node.id).inplace = True  # type: ignore[assignment]
        self.outputs = [slots[head.source] for head in self.heads.values()]
        self.spare_slots: list[Tensor | None] = [None] * len(self.plan.nodes)

    def layer(self, name: str) -> nn.Module:
        module = self._modules[name]
        assert module is not None, name
        return module

    def forward(self, *images: Tensor) -> list[Tensor]:
        """One tensor for each of the plan's inputs, in the plan's order; or all of them as one."""
        values = self.values_of(self.apart(images[0]) if len(images) < len(self.input_types) else images)
        self.advance(values, self.steps)
        return self.answers_of(values)

    def apart(self, images: Tensor) -> list[Tensor]:
        """The inputs, of a tensor with the channels of all of them (`SEVERAL_INPUTS`)."""
        assert self.task is not None
        names = SEVERAL_INPUTS[self.task]
        parts = images.split([self.plan.inputs[name].channels for name in names], 1)
        by_name = dict(zip(names, parts, strict=True))
        return [by_name[name] for name in self.plan.inputs]

    def values_of(self, images: Sequence[Tensor]) -> list[Tensor | None]:
        """The numbered tensors before the first step."""
        assert len(images) == len(self.input_types), (len(images), len(self.input_types))
        return [*images, *self.spare_slots]

    def advance(self, values: list[Tensor | None], steps: Sequence[Step]) -> None:
        """Does these steps, in place."""
        for step in steps:
            values[step.target] = self._take(step, [values[source] for source in step.sources])
            for slot in step.done_with:
                values[slot] = None

    def _take(self, step: Step, inputs: Sequence[Any]) -> Tensor:
        """Where the others compute in 16 bits the heads stay in 32: losses look at small differences."""
        layer = self.layer(step.module)
        if not step.is_head or not is_half():
            return layer(*inputs)
        with torch.autocast(inputs[0].device.type, enabled=False):
            return layer(*[value.float() for value in inputs])

    def answers_of(self, values: Sequence[Tensor | None]) -> list[Tensor]:
        """After the last step, what the heads say."""
        return [value for slot in self.outputs if (value := values[slot]) is not None]

    @property
    def head_weights(self) -> list[float]:
        return [head.weight for head in self.heads.values()]

    @property
    def is_size_free(self) -> bool:
        """True when any image size works, up to a multiple."""
        return not any(
            node.op in FIXED_SIZE or (node.op == "flatten" and self._flattens_area(node))
            for node in self.plan.nodes
        )

    @property
    def size_multiple(self) -> list[int]:
        """How often the smallest map on the way fits into the input, along each of its axes.

        Sizes are padded to a multiple of it.
        """
        maps = [node.type.size for node in self.plan.nodes if node.type.kind == "map"]
        axes = len(self.input_type.size)
        return [
            halvings(side, [size[axis] for size in maps if len(size) == axes])
            for axis, side in enumerate(self.input_type.size)
        ]

    def _flattens_area(self, node: PlanNode) -> bool:
        (source,) = node.inputs.values()
        kinds = {other.id: other.type for other in self.plan.nodes} | {
            f"@{name}": kind for name, kind in self.plan.inputs.items()
        }
        return any(side > 1 for side in kinds[source].size) or kinds[source].kind == "seq"


def halvings(side: int, sides: Sequence[int]) -> int:
    """The power of two that brings `side` to the smallest of `sides`; single pixels are means over all."""
    smallest = min((one for one in sides if one > 1), default=side)
    multiple = 1
    while multiple * smallest < side:
        multiple *= 2
    return min(multiple, 64)


def build_network(plan: Plan, task: str, seed: int) -> Network:
    """The network with its first weights, checked against the plan's own account of it."""
    if task not in SEVERAL_INPUTS and len(plan.inputs) != 1:
        raise RunFailure("plan_invalid", {"reason": f"{len(plan.inputs)} inputs, this task has one"})
    torch.manual_seed(seed)
    network = Network(plan, task)
    check_counts(network)
    check_shapes(network)
    return channels_last(network)


def is_half() -> bool:
    """Inside `torch.autocast`."""
    return torch.is_autocast_enabled() or torch.is_autocast_cpu_enabled()


def channels_last(network: Network) -> Network:
    """The memory layout that 2-D convolutions are fastest with; other tensors stay as they are."""
    for tensor in (*network.parameters(), *network.buffers()):
        if tensor.dim() == 4:
            tensor.data = tensor.data.contiguous(memory_format=torch.channels_last)
    return network


def heads_of(plan: Plan, task: str | None) -> dict[str, Head]:
    """The heads of this task, or all; `main` or the first named one leads."""
    heads = [(name, head) for name, head in plan.heads.items() if task is None or head.task == task]
    if not heads:
        raise RunFailure("plan_invalid", {"reason": f"no head for {task}"})
    heads.sort(key=lambda entry: entry[0] != "main")
    return dict(heads)


def build(node: PlanNode, types: dict[str, TensorType]) -> nn.Module:
    builder = BUILDERS.get(node.op)
    if builder is None:
        raise SpecError(f"{node.id}: unknown operation {node.op!r}")
    sources = ports_in_order(node.op, node.inputs)
    missing = [source for source in sources if source not in types]
    if missing or not sources:
        raise SpecError(f"{node.id}: input {missing} comes from nowhere")
    return builder(Params(node.op, node.params), [types[source] for source in sources])


def count_learnable(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


def count_buffers(module: nn.Module) -> int:
    """Running statistics; batch counters and constants of the plan are no part of the plan's account."""
    return sum(
        buffer.numel()
        for name, buffer in module.named_buffers()
        if name.endswith(("running_mean", "running_var"))
    )


def check_counts(network: Network) -> None:
    for node in network.plan.nodes:
        if node.share:
            continue
        learn, buffers = count_learnable(network.layer(node.id)), count_buffers(network.layer(node.id))
        if (learn, buffers) != (node.learn, node.buffers):
            mismatch(node.id, f"{node.learn}+{node.buffers}", f"{learn}+{buffers}")
    if count_learnable(network) != network.plan.learn:
        mismatch(network.plan.name, str(network.plan.learn), str(count_learnable(network)))


def check_shapes(network: Network) -> None:
    """One silent pass of a zero sample at the plan's own size, comparing every node's shape."""
    network.eval()
    shapes: dict[str, list[tuple[int, ...]]] = {}

    def note(name: str):
        return lambda module, args, output: shapes.setdefault(name, []).append(tuple(output.shape[1:]))

    own = [node for node in network.plan.nodes if not node.share]
    hooks = [network.layer(node.id).register_forward_hook(note(node.id)) for node in own]
    try:
        with torch.inference_mode():
            network(*[torch.zeros(1, *kind.shape) for kind in network.input_types])
    except RuntimeError as error:
        reason = str(error).splitlines()[0][:200]
        raise RunFailure("internal_plan_mismatch", {"node": network.plan.name, "reason": reason}) from error
    finally:
        for hook in hooks:
            hook.remove()
    for node in own:
        if shapes[node.id][0] != node.type.shape:
            mismatch(node.id, "x".join(map(str, node.type.shape)), "x".join(map(str, shapes[node.id][0])))
    network.train()


def mismatch(node: str, plan: str, engine: str) -> None:
    raise RunFailure("internal_plan_mismatch", {"node": node, "plan": plan, "engine": engine})

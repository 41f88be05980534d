"""Learns which lines of blobs are text: a small network on what they look like, written as weights.ts.

Called by `npm run bench -- burned-in-learn`: learn.py <looks> <weights.ts>. One line a candidate: seed,
text or not, features. Every eighth seed is kept aside and told about.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

EPOCHS = 30
BATCH = 512
# Features beyond this say no more (`weigh.ts` does the same).
MOST = 6.0


def main() -> None:
    looks, weights = sys.argv[1:]
    torch.manual_seed(0)
    rows = np.loadtxt(looks, dtype=np.float32)
    is_text = torch.tensor(rows[:, 1])
    features = torch.tensor(rows[:, 2:]).clamp(-MOST, MOST)  # (candidate, feature)
    aside = torch.tensor(rows[:, 0] % 8 == 0)
    mean, spread = features.mean(0), features.std(0) + 1e-3
    scaled = (features - mean) / spread
    net = nn.Sequential(
        nn.Linear(scaled.shape[1], 24), nn.ReLU(), nn.Linear(24, 12), nn.ReLU(), nn.Linear(12, 1)
    )
    learn(net, scaled[~aside], is_text[~aside])
    tell(net, scaled[aside], is_text[aside])
    write(Path(weights), net, mean, spread)


def learn(net: nn.Sequential, features: torch.Tensor, is_text: torch.Tensor) -> None:
    optimiser = torch.optim.AdamW(net.parameters(), weight_decay=1e-3)
    steps = EPOCHS * (len(features) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 1e-2, total_steps=steps)
    loss_of = nn.BCEWithLogitsLoss()
    for _ in range(EPOCHS):
        for some in torch.randperm(len(features)).split(BATCH):
            loss = loss_of(net(features[some]).squeeze(1), is_text[some])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()


def tell(net: nn.Sequential, features: torch.Tensor, is_text: torch.Tensor) -> None:
    with torch.no_grad():
        weight = net(features).squeeze(1)
    for least in (-2, 0, 2, 4):
        found = (weight[is_text == 1] > least).float().mean()
        wrong = int((weight[is_text == 0] > least).sum())
        print(f"weight over {least}: {found:.4f} of texts, {wrong} of {int((is_text == 0).sum())} others")


def write(path: Path, net: nn.Sequential, mean: torch.Tensor, spread: torch.Tensor) -> None:
    """Scaling is worked into the first layer."""
    layers = [layer for layer in net if isinstance(layer, nn.Linear)]
    text = [
        "/** Learned by `npm run bench -- burned-in-learn`; rows of weights follow one another. */",
        "export const layers = [",
    ]
    for number, layer in enumerate(layers):
        weight, bias = layer.weight.detach(), layer.bias.detach()
        if number == 0:
            bias = bias - (weight * (mean / spread)).sum(1)
            weight = weight / spread
        rows = " ".join(f"{value:.4g}" for value in weight.flatten().tolist())
        own = " ".join(f"{value:.4g}" for value in bias.tolist())
        text += ["  {", "    weights:", f"      '{rows}',", f"    bias: '{own}',", "  },"]
    path.write_text("\n".join([*text, "]", ""]))


if __name__ == "__main__":
    main()

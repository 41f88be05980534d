/** The demo member's own network: small enough to be understood at a glance, with a block of its own to open. */
export const network = {
  text: `# A small residual network for the sample "Tell cell shapes apart". Change it, train it, compare the results.
dripe: 1
name: cell_shapes
task: classification
params:
  classes: {type: int, default: 3, min: 2, max: 1000, role: classes}
  channels: {type: int, default: 1, min: 1, max: 64, role: channels}
  width: {type: int, default: 16, min: 4, max: 256}
inputs: {image: {kind: image, channels: =channels, size: [64, 64]}}
blocks:
  stage: # halves the picture, then looks at it twice
    params: {out: 32}
    nodes:
      shrink: {op: conv_bn_relu, in: x, out: =out, stride: 2}
      look: {op: res_basic, repeat: 2, out: =out}
nodes:
  stem: {op: conv_bn_relu, out: =width}
  edges: {op: stage, out: =2*width} # outlines
  shapes: {op: stage, out: =4*width} # round, long, in a cluster
  gate: se # weighs the channels against each other
  gap: globalavg
  drop: {op: dropout, p: 0.2}
  logits: {op: linear, out: =classes}
heads: {main: {task: classification, from: logits}}
`,
}

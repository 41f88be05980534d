/** Small networks as members draw them, and what they make of data sets. */

type Wish = {
  width?: number
  /** Of the first layer. */
  name?: string
  /** What the decision reads. */
  from?: string
  task?: 'classification' | 'segmentation'
}

/** A text without mistakes, unless the wish makes one. */
export function makeText({
  width = 4,
  name = 'stem',
  from = 'gap',
  task = 'classification',
}: Wish = {}): string {
  const end =
    task === 'classification'
      ? `  gap: globalavg\n  logits: {op: linear, in: ${from}, out: =classes}`
      : '  logits: {op: conv, out: =classes, kernel: 1}'
  return `dripe: 1
name: small
task: ${task}
params: {classes: {type: int, default: 2, role: classes}, channels: {type: int, default: 1, role: channels}}
inputs: {image: {kind: image, channels: =channels, size: [32, 32]}}
nodes:
  ${name}: {op: conv, out: ${width}}
  act: relu
${end}
heads: {main: {task: ${task}, from: logits}}
`
}

/**
 * The product's one look: calm, clinical, generous. Every colour, size and gap of public pages, workspace and Ant Design
 * stands here; build/tokens.ts makes custom properties of them (`primary` is `var(--nl-primary)`).
 */

type Colour = string | readonly [light: string, dark: string]

export const colours = {
  // The product’s own colour, and what stands on it.
  primary: ['#0a6478', '#5bb8cc'],
  'primary-strong': ['#074a5a', '#8ad3e2'],
  'primary-bright': ['#12839b', '#35a3bb'],
  'primary-soft': ['#e4f1f4', '#14343e'],
  'primary-line': ['#b9dae2', '#2b5864'],
  'primary-wash': ['rgb(10 100 120 / 8%)', 'rgb(91 184 204 / 14%)'],
  'primary-veil': ['rgb(228 241 244 / 45%)', 'rgb(20 52 62 / 45%)'],
  'on-primary': ['#ffffff', '#052129'],
  focus: ['rgb(18 131 155 / 20%)', 'rgb(53 163 187 / 32%)'],
  accent: ['#e0704f', '#ec8767'],
  'accent-strong': ['#ab4a2b', '#f2a78d'],
  'accent-soft': ['#fcefe9', '#3a231a'],
  'accent-wash': ['rgb(224 112 79 / 10%)', 'rgb(236 135 103 / 16%)'],
  // Signals.
  success: ['#17704a', '#5fc898'],
  'success-soft': ['#e5f4ec', '#12332a'],
  'success-line': ['#b5dcc8', '#255a48'],
  warning: ['#a15c07', '#dfa548'],
  'warning-soft': ['#fdf3e1', '#372a11'],
  'warning-line': ['#efd6a5', '#5f4a1c'],
  danger: ['#b83a32', '#f0857d'],
  'danger-strong': ['#96302a', '#f7aaa4'],
  'danger-soft': ['#fbeceb', '#3b201f'],
  'danger-line': ['#eec0bc', '#693634'],
  // Text, faintest last; grounds, deepest last; lines.
  ink: ['#10262f', '#e4eef1'],
  'ink-soft': ['#465d68', '#aec3cb'],
  'ink-faint': ['#5d717d', '#90a8b2'],
  'ink-placeholder': ['#6f838d', '#7f99a3'],
  surface: ['#ffffff', '#13232a'],
  raised: ['#ffffff', '#1a2d35'],
  tip: ['#10262f', '#dce8ec'],
  'on-tip': ['#ffffff', '#10262f'],
  canvas: ['#f4f8f9', '#0b171c'],
  'trough-soft': ['#f4f8f9', '#182a32'],
  trough: ['#e9f0f2', '#20343c'],
  // The chosen part of a switch: lighter than the trough around it, in the dark as well.
  chosen: ['#ffffff', '#2a424c'],
  line: ['#dfe8eb', '#243840'],
  'line-strong': ['#c3d1d7', '#3d555f'],
  // Behind what lies above the page.
  shade: ['rgb(16 38 47 / 18%)', 'rgb(0 0 0 / 48%)'],
  curtain: ['rgb(10 31 38 / 45%)', 'rgb(0 0 0 / 62%)'],
  mark: ['#fde9b8', '#5a4712'],
  'swatch-line': ['rgb(0 0 0 / 25%)', 'rgb(255 255 255 / 35%)'],
  // The light behind the first pages.
  'glow-cool': ['#dceff3', '#10303a'],
  'glow-warm': ['#fbefe9', '#271a14'],
  // The dark ground of footers and code.
  deep: ['#0b2d38', '#071f28'],
  'deep-line': 'rgb(255 255 255 / 14%)',
  'on-deep': '#d0e4e9',
  'on-deep-strong': '#ffffff',
  'on-deep-soft': '#9fbcc5',
  // Medical pictures stand on black, whatever the look; reports on paper.
  stage: '#0b1519',
  'stage-veil': 'rgb(8 18 23 / 72%)',
  'stage-shade': 'rgb(3 14 20 / 18%)',
  'on-stage': '#eef4f5',
  'on-stage-soft': '#7d939d',
  truth: '#00e65a',
  predicted: '#ff00c8',
  // Found boxes and outlines by class, as the engine draws them (`data/overlay.py`).
  'box-1': '#ff00c8',
  'box-2': '#00c8ff',
  'box-3': '#ffaa00',
  'box-4': '#aa6eff',
  'box-5': '#fff03c',
  'box-6': '#ff5050',
  'box-7': '#508cff',
  'box-8': '#ff96be',
  measure: '#ffd24a',
  cross: '#3fd0ea',
  paper: '#ffffff',
  'on-paper': '#444444',
  found: 'rgb(0 90 160 / 25%)',
  // Networks: lines, notes, cost by weight, kinds of layers.
  drawn: ['#7fb6c4', '#4b8b9b'],
  wire: ['#8fa9b4', '#6f8c98'],
  'wire-soft': ['#b6c8cf', '#4a626c'],
  note: ['#fdf8e3', '#2c2815'],
  'note-line': ['#e6d9a8', '#5c5229'],
  'heat-1': ['#fff6ec', '#2a2119'],
  'heat-2': ['#fde3c8', '#46301c'],
  'heat-3': ['#f9c69a', '#643f20'],
  'heat-4': ['#f2a06a', '#854e25'],
  'hue-conv': ['#0a6478', '#5bb8cc'],
  'hue-linear': ['#2c5aa8', '#86abee'],
  'hue-pool': ['#b5603a', '#df9670'],
  'hue-norm': ['#4b7f52', '#8fc698'],
  'hue-activation': ['#b8860b', '#dfb54b'],
  'hue-regular': ['#8a6d9e', '#c2a6d6'],
  'hue-merge': ['#a34a6f', '#de8cae'],
  'hue-shape': ['#54748c', '#98b6cc'],
  'hue-token': ['#6a55a8', '#b0a0e6'],
  'hue-block': ['#10262f', '#c7d7dc'],
  'hue-head': ['#17704a', '#5fc898'],
  // Medals of the levels.
  'level-0': '#9aabb3',
  'level-1': '#4b90a3',
  'level-2': '#b3763e',
  'level-3': '#8595a1',
  'level-4': '#d39a1c',
  'level-super': '#7a4fb5',
} as const satisfies Record<string, Colour>

/** Pixels: four steps of text, three of titles, and the two that open a public page. */
export const sizes = {
  'text-xs': '12px',
  'text-s': '13px',
  'text-m': '14px',
  text: '15px',
  'text-l': '17px',
  'title-3': '18px',
  'title-2': '22px',
  'title-1': '28px',
  'display-2': 'clamp(26px, 18px + 1.8vw, 40px)',
  'display-1': 'clamp(27px, 14px + 3.2vw, 52px)',

  'gap-0': '2px',
  'gap-1': '4px',
  'gap-2': '8px',
  'gap-3': '12px',
  'gap-4': '16px',
  'gap-5': '24px',
  'gap-6': '32px',
  'gap-7': '48px',
  'gap-8': '72px',
  'gap-wide': 'clamp(24px, 5vw, 72px)',

  'radius-xs': '5px',
  'radius-s': '8px',
  radius: '12px',
  'radius-l': '18px',
  'radius-full': '999px',

  page: '1200px',
  bar: '64px',
} as const

/** On phones the root's font size follows the window (theme.css); what is measured by it stays in bounds. */
export const phoneSizes: Partial<Record<keyof typeof sizes, string>> = {
  text: 'clamp(15px, 0.66rem, 17px)',
  'title-1': 'clamp(22px, 1.05rem, 30px)',
  'title-2': 'clamp(19px, 0.88rem, 24px)',
  'gap-5': 'clamp(18px, 0.95rem, 28px)',
  'gap-7': 'clamp(32px, 1.6rem, 48px)',
  'gap-8': 'clamp(44px, 2.1rem, 64px)',
  bar: '56px',
}

const cast = (alpha: number, darkAlpha: number): Colour => [
  `rgb(16 38 47 / ${alpha}%)`,
  `rgb(0 0 0 / ${darkAlpha}%)`,
]

/** Each layer of a shadow: how far it falls, and its colour. */
export const shadows = {
  'shadow-1': [
    ['0 1px 2px', cast(5, 30)],
    ['0 1px 6px', cast(4, 24)],
  ],
  'shadow-2': [
    ['0 2px 4px', cast(5, 30)],
    ['0 8px 24px', cast(8, 36)],
  ],
  'shadow-3': [['0 12px 48px', cast(16, 55)]],
} as const satisfies Record<string, readonly (readonly [string, Colour])[]>

export const type = {
  medium: '550',
  strong: '640',
  heavy: '700',
  font: [
    "'Onest Variable'",
    "'Segoe UI'",
    'system-ui',
    '-apple-system',
    'Roboto',
    "'Helvetica Neue'",
    "'PingFang SC'",
    "'Hiragino Sans GB'",
    "'Microsoft YaHei'",
    "'Noto Sans SC'",
    "'Noto Sans CJK SC'",
    "'Noto Sans'",
    'sans-serif',
  ].join(', '),
  mono: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', Consolas, monospace",
} as const

/** How long what moves takes: an answer to the mouse, something that comes or goes. */
export const motion = { fast: '0.12s', slow: '0.3s' } as const

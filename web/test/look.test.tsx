import { readFileSync } from 'node:fs'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ConfigProvider, Button as Plain } from 'antd'
import { afterEach, describe, expect, test } from 'vitest'
import { tokensCss } from '../build/tokens.ts'
import { setLook, storedLook, useIsDark } from '../src/ui/hooks/use-look.ts'
import { LookToggle } from '../src/ui/look/look-toggle.tsx'
import { makeTheme } from '../src/ui/theme.ts'
import { colours } from '../src/ui/tokens.ts'

afterEach(() => act(() => setLook('system')))

describe('the look', () => {
  test('is turned with one press, told to the style sheets and kept', async () => {
    render(<LookToggle />)
    const toggle = screen.getByRole('button', { name: 'Dark mode', pressed: false })
    await userEvent.click(toggle)
    expect(document.documentElement.dataset.look).toBe('dark')
    expect(storedLook()).toBe('dark')
    expect(toggle.getAttribute('aria-pressed')).toBe('true')
    await userEvent.click(toggle)
    expect(storedLook()).toBe('light')
  })

  test('of another tab is taken over', () => {
    const Told = () => <p>{useIsDark() ? 'dark' : 'light'}</p>
    render(<Told />)
    act(() => {
      localStorage.setItem('look', 'dark')
      window.dispatchEvent(new StorageEvent('storage', { key: 'look' }))
    })
    expect(screen.getByText('dark')).toBeTruthy()
  })

  test('that is none of the three is that of the system', () => {
    localStorage.setItem('look', 'purple')
    expect(storedLook()).toBe('system')
  })
})

/** How bright a colour of six hexadecimal digits is. */
const brightness = (hex: string): number =>
  [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(hex.slice(at, at + 2), 16), 0)

describe('tokens', () => {
  test.each([
    ['light', false],
    ['dark', true],
  ])(
    'the chosen part of a switch is brighter than the rest of it, so that it looks raised, in the %s',
    (_, isDark) => {
      const { itemSelectedBg = '', trackBg = '' } =
        makeTheme({ isDark, hasMotion: true }).components?.Segmented ?? {}
      expect(brightness(itemSelectedBg)).toBeGreaterThan(brightness(trackBg) + 12)
    },
  )

  test('each colour stands in the style sheet, in light and in dark', () => {
    const css = tokensCss()
    for (const [name, value] of Object.entries(colours)) {
      const said = typeof value === 'string' ? value : `light-dark(${value[0]}, ${value[1]})`
      expect(css).toContain(`--nl-${name}: ${said};`)
    }
  })

  test('Ant Design has the same, by look', () => {
    for (const isDark of [false, true]) {
      const { token } = makeTheme({ isDark, hasMotion: true })
      const at = isDark ? 1 : 0
      expect(token?.colorPrimary).toBe(colours.primary[at])
      expect(token?.colorBgContainer).toBe(colours.surface[at])
    }
  })

  /** WCAG 2.2, 1.4.3: text at 4.5 : 1. */
  test.each([
    ['ink', 'surface'],
    ['ink-soft', 'canvas'],
    ['ink-faint', 'surface'],
    ['ink-faint', 'trough-soft'],
    ['primary', 'surface'],
    ['primary', 'primary-soft'],
    ['primary', 'chosen'],
    ['on-primary', 'primary'],
    ['on-primary', 'danger'],
    ['accent-strong', 'accent-soft'],
    ['success', 'success-soft'],
    ['warning', 'warning-soft'],
    ['danger', 'danger-soft'],
    ['ink', 'heat-4'],
    ['ink', 'mark'],
    ['on-tip', 'tip'],
  ] as const)('%s can be read on %s', (text, ground) => {
    for (const at of [0, 1] as const)
      expect(contrast(colours[text][at], colours[ground][at])).toBeGreaterThanOrEqual(4.5)
  })
})

/** WCAG 2.2, relative luminance of sRGB. */
function contrast(one: string, other: string): number {
  const [a = 0, b = 0] = [luminance(one), luminance(other)].sort((x, y) => y - x)
  return (a + 0.05) / (b + 0.05)
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Its rules for links hold on every page from the first look at the workspace on, whichever style sheet comes later. */
describe('Ant Design’s rules for links are weaker than ours', () => {
  const rulesOf = (css: string) =>
    [...css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(
      ([, selectors = '', body = '']) =>
        selectors.split(/,(?![^(]*\))/).map((selector) => ({ selector: selector.trim(), body })),
    )
  const own = (file: string) => rulesOf(readFileSync(`${import.meta.dirname}/../src/ui/${file}`, 'utf8'))
  const theirs = (property: RegExp) => {
    render(
      <ConfigProvider theme={makeTheme({ isDark: false, hasMotion: false })}>
        <Plain>Any</Plain>
      </ConfigProvider>,
    )
    const css = [...document.querySelectorAll('style')].map(({ textContent }) => textContent).join('')
    return rulesOf(css).filter(
      ({ selector, body }) => /^a(:[\w-]+|\[\w+\])*$/.test(selector) && property.test(body),
    )
  }

  test('so that the keyboard sees where it is', () => {
    const [ring] = own('theme.css').filter(
      ({ selector, body }) => selector.endsWith('a:focus-visible') && /outline: 2px solid/.test(body),
    )
    const taking = theirs(/outline:\s*(none|0)/)
    expect(taking.length).toBeGreaterThan(1)
    for (const { selector } of taking)
      expect(weight(ring?.selector), selector).toBeGreaterThan(weight(selector))
  })

  test.each(['primary', 'quiet'])('and a %s button keeps its colour in every state', (look) => {
    const ours = own('button.module.css').filter(({ body }) => /(?:^|[\s;])color:/.test(body))
    for (const state of ['', ':hover', ':focus', ':active']) {
      const mine = ours.filter(({ selector }) => selector.startsWith(`.${look}`) && covers(selector, state))
      const most = Math.max(...mine.map(({ selector }) => weight(selector)))
      const others = theirs(/(?:^|;)color:/).filter(
        ({ selector }) => selector === 'a' || selector === `a${state}`,
      )
      expect(others.length).toBeGreaterThan(0)
      for (const { selector } of others)
        expect(most, `${selector}, ${state}`).toBeGreaterThan(weight(selector))
    }
  })
})

/** Whether the rule holds in that state. */
const covers = (selector: string, state: string): boolean =>
  !selector.includes(':') || (state !== '' && selector.includes(state))

/** CSS Selectors 4, 17: classes, attributes and pseudo-classes before elements; of `:is()` what weighs most. */
function weight(selector = ''): number {
  const plain = selector.replaceAll(
    /:is\(([^)]*)\)/g,
    (_, inner: string) => inner.split(',')[0]?.trim() ?? '',
  )
  const classes = plain.match(/\.[\w-]+|\[[^\]]*\]|:[\w-]+/g)?.length ?? 0
  const elements = plain.match(/(?<![\w.:[-])[a-z][\w-]*/g)?.length ?? 0
  return classes * 100 + elements
}

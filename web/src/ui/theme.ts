/** The tokens told to Ant Design, whose components compute with them: it gets values, not custom properties. Workspace only. */
import { theme as antd, type ThemeConfig } from 'antd'
import { colours, shadows } from './tokens.ts'

/** People who asked their system for less motion get none. */
export function makeTheme({ isDark, hasMotion }: { isDark: boolean; hasMotion: boolean }): ThemeConfig {
  const look = (name: keyof typeof colours): string => inLook(colours[name], isDark)
  const shadow = (name: keyof typeof shadows): string =>
    shadows[name].map(([place, cast]) => `${place} ${inLook(cast, isDark)}`).join(', ')
  const primary = look('primary')
  return {
    cssVar: { key: isDark ? 'nl-dark' : 'nl' },
    hashed: false,
    algorithm: isDark ? antd.darkAlgorithm : antd.defaultAlgorithm,
    token: {
      motion: hasMotion,
      colorPrimary: primary,
      colorInfo: primary,
      colorLink: primary,
      colorSuccess: look('success'),
      colorWarning: look('warning'),
      colorError: look('danger'),
      ...tagOf('cyan', look('primary'), look('primary-soft')),
      ...tagOf('gold', look('warning'), look('warning-soft')),
      ...tagOf('orange', look('accent-strong'), look('accent-soft')),
      ...tagOf('red', look('danger'), look('danger-soft')),
      ...tagOf('blue', look('primary'), look('primary-soft')),
      ...tagOf('green', look('success'), look('success-soft')),
      colorPrimaryHover: look('primary-bright'),
      colorPrimaryActive: look('primary-strong'),
      colorPrimaryText: primary,
      colorPrimaryBg: look('primary-soft'),
      colorPrimaryBgHover: look('primary-soft'),
      colorPrimaryBorder: look('primary-line'),
      colorInfoBg: look('primary-soft'),
      colorInfoBorder: look('primary-line'),
      colorSuccessBg: look('success-soft'),
      colorSuccessBorder: look('success-line'),
      colorWarningBg: look('warning-soft'),
      colorWarningBorder: look('warning-line'),
      colorErrorBg: look('danger-soft'),
      colorErrorBorder: look('danger-line'),
      colorTextBase: look('ink'),
      colorText: look('ink'),
      colorTextSecondary: look('ink-soft'),
      colorTextTertiary: look('ink-faint'),
      colorTextPlaceholder: look('ink-placeholder'),
      colorTextLightSolid: look('on-primary'),
      colorBgBase: look('surface'),
      colorBgContainer: look('surface'),
      colorBgElevated: look('raised'),
      colorBgLayout: look('canvas'),
      colorBgMask: look('curtain'),
      colorBorder: look('line-strong'),
      colorBorderSecondary: look('line'),
      colorBorderDisabled: look('line'),
      colorSplit: look('line'),
      borderRadius: 8,
      borderRadiusLG: 12,
      borderRadiusSM: 6,
      controlHeight: 38,
      controlHeightLG: 46,
      controlHeightSM: 30,
      fontSize: 15,
      fontSizeHeading1: 28,
      fontSizeHeading2: 22,
      fontSizeHeading3: 18,
      lineHeight: 1.55,
      fontFamily: 'var(--nl-font)',
      boxShadow: shadow('shadow-2'),
      boxShadowSecondary: shadow('shadow-3'),
      wireframe: false,
    },
    components: {
      Button: { fontWeight: 550, primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none' },
      Card: { paddingLG: 20, headerFontSize: 16 },
      Table: {
        // Heads are small: heavier, the dot of an i melts into its stem where FreeType draws.
        fontWeightStrong: 550,
        headerBg: look('trough-soft'),
        headerColor: look('ink-soft'),
        headerSplitColor: 'transparent',
        rowHoverBg: look('trough-soft'),
      },
      Tabs: { titleFontSize: 15, horizontalItemPadding: '12px 2px' },
      Modal: { titleFontSize: 18, paddingContentHorizontalLG: 28 },
      Menu: { itemBorderRadius: 8, itemSelectedBg: look('primary-soft') },
      // Says what counts while nothing is chosen, so it must be read as well as a choice.
      Select: { colorTextPlaceholder: look('ink-soft') },
      Segmented: { itemSelectedColor: primary, itemSelectedBg: look('chosen'), trackBg: look('trough') },
      Progress: { defaultColor: primary, remainingColor: look('trough') },
      Slider: {
        railBg: look('line'),
        railHoverBg: look('line'),
        trackBg: primary,
        trackHoverBg: primary,
        handleColor: primary,
      },
      Tooltip: { colorBgSpotlight: look('tip'), colorTextLightSolid: look('on-tip') },
      Tag: { borderRadiusSM: 6 },
    },
  }
}

/** Words of a tag and its ground; those that Ant Design works out are muddy, or too pale to be read. */
const tagOf = (name: string, words: string, ground: string): Record<string, string> => ({
  // Under both of its spellings, which end in one custom property.
  [`${name}1`]: ground,
  [`${name}-1`]: ground,
  [`${name}6`]: words,
  [`${name}-6`]: words,
  [`${name}7`]: words,
  [`${name}-7`]: words,
})

const inLook = (one: string | readonly [string, string], isDark: boolean): string =>
  typeof one === 'string' ? one : one[isDark ? 1 : 0]

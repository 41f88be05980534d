import type { Language } from '@neuroloom/contract/language'
import type { ConfigProviderProps } from 'antd'
import english from 'antd/es/locale/en_US'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lastingly } from '../lib/bring.ts'
import { currentLanguage } from '../lib/i18n.ts'

type AntdLocale = NonNullable<ConfigProviderProps['locale']>

/**
 * Ant Design's own texts in the chosen language; English, which it carries itself, until they have loaded. Never none:
 * the first to come would mount the whole workspace anew, and what is typed or open by then would be gone.
 */
export function useAntdLocale(): AntdLocale {
  const [locale, setLocale] = useState<AntdLocale>(english)
  // Renders anew when the language changes.
  useTranslation('common')
  const language = currentLanguage()
  useEffect(() => {
    let isCurrent = true
    void lastingly(loaders[language]).then((loaded) => {
      if (!isCurrent) return
      dayjs.locale(loaded.dayjs)
      setLocale(loaded.antd)
    })
    return () => {
      isCurrent = false
    }
  }, [language])
  return locale
}

const loaders: Record<Language, () => Promise<{ antd: AntdLocale; dayjs: string }>> = {
  en: async () => ({ antd: (await import('antd/locale/en_GB')).default, dayjs: 'en' }),
  zh: async () => {
    const [antd] = await Promise.all([import('antd/locale/zh_CN'), import('dayjs/locale/zh-cn')])
    return { antd: antd.default, dayjs: 'zh-cn' }
  },
  ru: async () => {
    const [antd] = await Promise.all([import('antd/locale/ru_RU'), import('dayjs/locale/ru')])
    return { antd: antd.default, dayjs: 'ru' }
  },
}

import { Segmented } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Loading } from '../../../ui/loading.tsx'
import styles from './code.module.css'
import { PytorchCode } from './pytorch-code.tsx'
import { YamlCode } from './yaml-code.tsx'

/** The network as text, which can be changed, and as PyTorch, which can be taken along. */
export function CodeSide() {
  const { t } = useTranslation('dripe-panels')
  const [language, setLanguage] = useState<'yaml' | 'pytorch'>('yaml')
  const choice = (
    <Segmented
      size="small"
      aria-label={t('code.language')}
      value={language}
      options={[
        { value: 'yaml', label: 'YAML' },
        { value: 'pytorch', label: 'PyTorch' },
      ]}
      onChange={(value) => setLanguage(value === 'pytorch' ? 'pytorch' : 'yaml')}
    />
  )
  return (
    <section className={styles.side} aria-label={t('code.title')}>
      <Suspense fallback={<Loading count={6} />}>
        {language === 'yaml' ? <YamlCode choice={choice} /> : <PytorchCode choice={choice} />}
      </Suspense>
    </section>
  )
}

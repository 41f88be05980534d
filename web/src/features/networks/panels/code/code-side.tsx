import { CloseOutlined } from '@ant-design/icons'
import { Button, Segmented } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../../../../ui/hooks/use-media.ts'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { Loading } from '../../../../ui/loading.tsx'
import { useScreenStore } from '../../editor/screen.ts'
import styles from './code.module.css'
import { YamlCode } from './yaml-code.tsx'

const PytorchCode = lazyPart(async () => (await import('./pytorch-code.tsx')).PytorchCode)

/** The network as text, which can be changed, and as PyTorch, which can be taken along. */
export function CodeSide() {
  const { t } = useTranslation('dripe-panels')
  const screen = useScreenStore()
  const isNarrow = useIsNarrow()
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
  // On a phone the sheet around has its own.
  const close = isNarrow ? null : (
    <Button
      size="small"
      type="text"
      icon={<CloseOutlined aria-hidden />}
      aria-label={t('code.close')}
      title={t('code.close')}
      onClick={() => screen.getState().set({ isCodeOpen: false })}
    />
  )
  return (
    <section className={styles.side} aria-label={t('code.title')}>
      <Suspense fallback={<Loading count={6} />}>
        {language === 'yaml' ? (
          <YamlCode choice={choice} close={close} />
        ) : (
          <PytorchCode choice={choice} close={close} />
        )}
      </Suspense>
    </section>
  )
}

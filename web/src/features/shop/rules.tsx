import { claimGrounds, licences, shopRules } from '@neuroloom/contract/shop/words'
import { Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../../ui/hooks/use-media.ts'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import styles from './shop.module.css'

const parts = ['sold', 'score', 'refunds', 'money', 'duties', 'claims', 'changes'] as const

/** The rules of the shop that are in force, in full. */
export function RulesDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shop')
  const isNarrow = useIsNarrow()
  return (
    <Drawer
      open
      size={isNarrow ? '100%' : 640}
      title={t('rules.title', { edition: shopRules })}
      onClose={onClose}
      styles={{ body: { padding: 0 } }}
    >
      <ScrollRegion name={t('rules.open')} className={`${styles.rules} ${styles.said}`}>
        {parts.map((part) => (
          <section key={part}>
            <h3>{t(`rules.${part}.title`)}</h3>
            <p>{t(`rules.${part}.text`)}</p>
            {part === 'refunds' && (
              <ul>
                {claimGrounds.map((ground) => (
                  <li key={ground}>
                    <strong>{t(`ground.${ground}.name`)}</strong> {t(`ground.${ground}.about`)}
                  </li>
                ))}
              </ul>
            )}
            {part === 'sold' && (
              <ul>
                {licences.map((licence) => (
                  <li key={licence}>
                    <strong>{t(`licence.${licence}.name`)}</strong> {t(`licence.${licence}.about`)}
                  </li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </ScrollRegion>
    </Drawer>
  )
}

import { market as limits } from '@neuroloom/contract/limits'
import { Button, Rate } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { Panel } from '../../ui/page.tsx'
import styles from './market.module.css'
import { WordsField } from './words-field.tsx'

/** How the work was, said once by the customer. */
export function RatePart({ id }: { id: string }) {
  const { t } = useTranslation('market')
  const [stars, setStars] = useState(0)
  const [text, setText] = useState('')
  const rate = useAction('demand/rate', {
    refresh: ['demand/detail', 'demand/list'],
    onDone: () => toast.success(t('rate.thanks')),
  })
  return (
    <Panel title={t('rate.title')}>
      <div className={styles.form}>
        <p className={styles.help}>{t('rate.text')}</p>
        <Rate value={stars} onChange={setStars} aria-label={t('rate.stars')} />
        <WordsField
          id="rating-text"
          label={t('rate.words')}
          text={text}
          maxLength={limits.ratingLength}
          rows={2}
          onText={setText}
        />
        <div>
          <Button
            type="primary"
            disabled={stars === 0}
            loading={rate.isPending}
            onClick={() => rate.mutate({ id, stars, text: text.trim() })}
          >
            {t('rate.send')}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

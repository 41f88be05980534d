import { shopRules } from '@neuroloom/contract/shop/words'
import { Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import { RulesCheck } from '../rules-check.tsx'
import styles from '../shop.module.css'
import { AboutForm, aboutOf, emptyAbout } from './about-form.tsx'
import { TestChoice } from './test-choice.tsx'

const DRAFT = 'shopDraft'

/** A trained model into the shop: which test, what is said of it, and the rules. What is written is kept in this browser. */
export function OfferDialog({ test, onClose }: { test: string | null; onClose: () => void }) {
  const { t } = useTranslation(['shop', 'common'])
  const [testId, setTestId] = useState<string | null>(test)
  const [draft, setDraft] = useState(readDraft)
  const [isAgreed, setAgreed] = useState(false)
  const [isAsked, setAsked] = useState(false)
  useEffect(() => localStorage.setItem(DRAFT, JSON.stringify(draft)), [draft])
  const offer = useAction('shop/offer', {
    quiet: true,
    refresh: ['shop/mine', 'shop/list', 'shop/candidates', 'runs/list', 'plans/shared'],
    onDone: () => {
      localStorage.removeItem(DRAFT)
      toast.success(t('own.offered'))
      onClose()
    },
  })
  const about = aboutOf(draft)
  const handleOffer = () => {
    setAsked(true)
    if (testId && about && isAgreed) offer.mutate({ testId, about, acceptRules: shopRules })
  }
  return (
    <Modal
      open
      centered
      width={720}
      title={t('own.offer')}
      okText={t('own.send')}
      okButtonProps={{ loading: offer.isPending }}
      cancelText={t('common:cancel')}
      onOk={handleOffer}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <TestChoice chosen={testId} task={null} onChoose={setTestId} />
        {isAsked && testId === null && (
          <p className={styles.problem} role="alert">
            {t('own.chooseTest')}
          </p>
        )}
        <AboutForm draft={draft} isAsked={isAsked} onChange={setDraft} />
        <RulesCheck
          isAgreed={isAgreed}
          problem={isAsked && !isAgreed ? t('rules.tick') : null}
          onChange={setAgreed}
        />
        {offer.error && (
          <p role="alert" className={styles.problem}>
            <RefusalText error={offer.error} />{' '}
            {offer.error.name === 'information_needed' && (
              <Link to="/userCenter?tab=member">{t('own.toProfile')}</Link>
            )}
          </p>
        )}
      </div>
    </Modal>
  )
}

function readDraft(): typeof emptyAbout {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(DRAFT) ?? '{}')
    return { ...emptyAbout, ...(typeof kept === 'object' ? kept : {}) }
  } catch {
    return emptyAbout
  }
}

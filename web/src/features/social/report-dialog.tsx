import { social as limits } from '@neuroloom/contract/limits'
import type { ReportKind, ReportReason } from '@neuroloom/contract/social/posts'
import { Alert, Form, Input, Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import styles from './report-dialog.module.css'

/** All of them, in the order shown: a record, so that one added to the contract cannot be forgotten. */
const order: Record<ReportReason, number> = {
  patient_data: 0,
  insult: 1,
  false_medical: 2,
  spam: 3,
  illegal: 4,
  other: 5,
}
// The record's own keys.
const reasons = (Object.keys(order) as ReportReason[]).sort((one, other) => order[one] - order[other])

type Props = {
  kind: ReportKind
  targetId: string
  /** Of a message: its conversation. */
  chatId?: string | null
  onClose: () => void
}

/** Tells the administrators what a member wrote. */
export function ReportDialog({ kind, targetId, chatId = null, onClose }: Props) {
  const { t } = useTranslation(['social', 'common'])
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [text, setText] = useState('')
  const report = useAction('social/report', {
    refresh: [],
    quiet: true,
    onDone: () => {
      onClose()
      toast.success(t('report.done'))
    },
  })
  const submit = () => {
    if (reason !== null && !report.isPending) report.mutate({ kind, targetId, chatId, reason, text })
  }
  return (
    <Modal
      open
      centered
      width={480}
      title={t(`report.title.${kind}`)}
      okText={t('report.send')}
      okButtonProps={{ disabled: reason === null }}
      cancelText={t('common:cancel')}
      confirmLoading={report.isPending}
      onOk={submit}
      onCancel={onClose}
    >
      <p className={styles.about}>{t('report.about')}</p>
      <Form layout="vertical" requiredMark={false} onFinish={submit}>
        <Form.Item label={t('report.reason')}>
          <Radio.Group
            className={styles.reasons ?? ''}
            aria-label={t('report.reason')}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
            options={reasons.map((value) => ({ value, label: t(`report.reasons.${value}`) }))}
          />
        </Form.Item>
        <Form.Item label={t('report.text')} htmlFor="report-text">
          <Input.TextArea
            id="report-text"
            rows={3}
            maxLength={limits.reportLength}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Form.Item>
        {report.error && <Alert type="error" showIcon title={messageOf(report.error)} />}
      </Form>
    </Modal>
  )
}

import type { User } from '@neuroloom/contract/accounts/accounts'
import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'
import { EnglishDialog } from './entrance/english-dialog.tsx'
import formStyles from './entrance/login-form.module.css'
import { ErrorSummary } from './error-summary.tsx'
import { MemberFields } from './fields/member-fields.tsx'
import { PhotoChoice } from './fields/photo-choice.tsx'
import { FormFailure } from './form-failure.tsx'
import { draftOf, type MemberDraft, memberProblemsOf, profileOf } from './member-draft.ts'
import { photoFor } from './photo.ts'
import styles from './profile-dialog.module.css'
import { useMemberForm } from './use-member-form.ts'

type ProfileDialogProps = {
  user: User
  /** true: the profile was changed; false: it was left as it was. */
  onClose: (refresh: boolean) => void
}

/** The whole profile, as wide as the specification says. */
export function ProfileDialog({ user, onClose }: ProfileDialogProps) {
  const { t } = useTranslation(['member', 'common'])
  const form = useMemberForm<MemberDraft>({
    initial: draftOf(user),
    prefix: 'profile',
    problemsOf: (draft) => problemsOf(draft, user),
    labelOf: (field) => t(`field.${field}`),
    send: (draft) => call('user/edit', { userId: user.id, ...changesOf(draft, user) }),
    onDone: () => {
      toast.success(t('saved'))
      onClose(true)
    },
    hasSlider: false,
  })
  const { draft, change } = form
  return (
    <Modal
      open
      width={1000}
      title={t('edit')}
      footer={null}
      mask={{ closable: false }}
      onCancel={() => onClose(false)}
    >
      <form
        className={`${formStyles.form} ${styles.form}`}
        onSubmit={form.submit}
        noValidate
        aria-label={t('edit')}
      >
        <MemberFields
          prefix="profile"
          form={form}
          account={user.account}
          fixedPhone={isPhoneFixed(user) ? user.phone : null}
          photo={
            <PhotoChoice
              value={draft.photo}
              suggested={photoFor(draft)}
              onChange={(photo) => change({ photo })}
            />
          }
        />
        <ErrorSummary
          problems={form.problems}
          onChoose={(name) => document.getElementById(`profile-${name}`)?.focus()}
        />
        <FormFailure text={form.failure} />
        <div className={styles.buttons}>
          <Button onClick={() => onClose(false)}>{t('common:cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={form.isBusy}>
            {t('common:save')}
          </Button>
        </div>
        {form.english !== null && <EnglishDialog field={form.english} onClose={form.closeEnglish} />}
      </form>
    </Modal>
  )
}

/** The number of the sign-in is not changed with the profile. */
const isPhoneFixed = (user: User): boolean => user.account === 'phone' && user.phone !== ''

function problemsOf(draft: MemberDraft, user: User) {
  const problems = memberProblemsOf(draft, 'edit')
  if (isPhoneFixed(user)) delete problems.phone
  return problems
}

function changesOf(draft: MemberDraft, user: User) {
  const profile = profileOf({ ...draft, photo: draft.photo || photoFor(draft) })
  return isPhoneFixed(user) ? { ...profile, phone: user.phone } : profile
}

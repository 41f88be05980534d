import { AppstoreOutlined, BorderOuterOutlined, DatabaseOutlined, FileTextOutlined } from '@ant-design/icons'
import { Modal } from 'antd'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { Loading } from '../../../../ui/loading.tsx'
import { OpenYaml } from '../code/open-yaml.tsx'
import styles from './home.module.css'

const EmptyForm = lazyPart(async () => (await import('../settings/empty-form.tsx')).EmptyForm)
const GuidedForm = lazyPart(async () => (await import('../guided/guided-form.tsx')).GuidedForm)
const TemplateForm = lazyPart(async () => (await import('./template-form.tsx')).TemplateForm)

type Way = 'guided' | 'template' | 'empty' | 'file'
const ways: readonly { way: Way; icon: ReactNode }[] = [
  { way: 'guided', icon: <DatabaseOutlined aria-hidden /> },
  { way: 'template', icon: <AppstoreOutlined aria-hidden /> },
  { way: 'empty', icon: <BorderOuterOutlined aria-hidden /> },
  { way: 'file', icon: <FileTextOutlined aria-hidden /> },
]
const widths: Record<Exclude<Way, 'file'>, number> = { guided: 720, template: 1040, empty: 520 }

/** `isFirst`: there is none yet, so this is what the page is about. `template`: one to begin with. */
type Props = { isFirst: boolean; template: string | null }

/** Four ways to a new network. */
export function NewNetwork({ isFirst, template }: Props) {
  const { t } = useTranslation('dripe-panels')
  const [way, setWay] = useState<Exclude<Way, 'file'> | null>(template === null ? null : 'template')
  return (
    <section className={styles.start} data-first={isFirst} aria-label={t('home.new')}>
      <h2>{isFirst ? t('home.first') : t('home.new')}</h2>
      {isFirst ? <p className={styles.lead}>{t('home.firstText')}</p> : null}
      <ul className={styles.ways}>
        {ways.map(({ way: name, icon }) => {
          const face = (
            <>
              <span className={styles.wayIcon}>{icon}</span>
              <span className={styles.wayName}>{t(`start.${name}.title`)}</span>
              <span className={styles.wayText}>{t(`start.${name}.text`)}</span>
            </>
          )
          return (
            <li key={name}>
              {name === 'file' ? (
                <OpenYaml className={styles.way ?? ''}>{face}</OpenYaml>
              ) : (
                <button type="button" className={styles.way} onClick={() => setWay(name)}>
                  {face}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      <Modal
        open={way !== null}
        centered
        width={way === null ? 520 : widths[way]}
        destroyOnHidden
        title={way === null ? '' : t(`start.${way}.title`)}
        footer={null}
        onCancel={() => setWay(null)}
      >
        <div className={styles.dialog}>
          <Suspense fallback={<Loading count={3} />}>
            {way === 'empty' ? <EmptyForm /> : null}
            {way === 'guided' ? <GuidedForm onOther={() => setWay('template')} /> : null}
            {way === 'template' ? <TemplateForm template={template} /> : null}
          </Suspense>
        </div>
      </Modal>
    </section>
  )
}

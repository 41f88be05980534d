import { type BlockNumber, liftParameter } from '@neuroloom/contract/network/edit/blocks'
import { isId } from '@neuroloom/contract/network/resolve/schema-map'
import { Checkbox, Input, Modal } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { fieldSpecs } from '../panels/settings/field-specs.ts'
import { useWords } from '../panels/words.ts'
import { type BlockDraft, draftBlock, group } from './blocks.ts'
import styles from './dialogs.module.css'
import { NameInput, typedName } from './name-input.tsx'
import { useClose } from './use-close.ts'
import { useWorkbench } from './workbench.ts'

/** Makes a block of what is chosen: its name, and which numbers inside can be set at each use. */
export function GroupDialog() {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const close = useClose()
  const id = useId()
  const [name, setName] = useState('block')
  // Nothing changes below a dialog.
  const [draft] = useState(() => draftBlock(bench))
  /** Names of the parameters, by place in the list of numbers. */
  const [picked, setPicked] = useState<ReadonlyMap<number, string>>(new Map())
  const { lifted, refused } = liftedBy(draft, picked)
  const isNamed = isId(name)
  const isValid = isNamed && refused.size === 0
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isValid) return
    close()
    group(bench, name, lifted)
  }
  return (
    <Modal
      open
      title={t('name.group')}
      okText={t('name.groupOk')}
      cancelText={t('name.cancel')}
      okButtonProps={{ disabled: !isValid, htmlType: 'submit', form: id }}
      onCancel={close}
      width={480}
    >
      <form id={id} onSubmit={handleSubmit} className={styles.form}>
        <NameInput name={name} isWrong={!isNamed} note={t('name.rule')} onChange={setName} />
        {draft === null || draft.numbers.length === 0 ? null : (
          <Numbers draft={draft} picked={picked} refused={refused} onPick={setPicked} />
        )}
      </form>
    </Modal>
  )
}

/** In the order of the list; a name that the block cannot have is refused, as is one that comes twice. */
function liftedBy(draft: BlockDraft | null, picked: ReadonlyMap<number, string>) {
  const lifted: BlockNumber[] = []
  const refused = new Set<number>()
  let document = draft?.document
  for (const [k, number] of (draft?.numbers ?? []).entries()) {
    const name = picked.get(k)
    if (draft === null || document === undefined || name === undefined) continue
    const wished = { ...number, name }
    const next = liftParameter(document, draft.block, wished)
    if (next === document) refused.add(k)
    else lifted.push(wished)
    document = next
  }
  return { lifted, refused }
}

type NumbersProps = {
  draft: BlockDraft
  picked: ReadonlyMap<number, string>
  refused: ReadonlySet<number>
  onPick: (picked: ReadonlyMap<number, string>) => void
}

function Numbers({ draft, picked, refused, onPick }: NumbersProps) {
  const { t } = useTranslation('dripe')
  const told = useNumberText(draft)
  const toggle = (k: number, name: string | null) => {
    const next = new Map(picked)
    if (name === null) next.delete(k)
    else next.set(k, name)
    onPick(next)
  }
  return (
    <fieldset className={styles.numbers}>
      <legend>{t('name.numbers')}</legend>
      <p className={styles.note}>{t('name.numbersNote')}</p>
      <ul>
        {draft.numbers.map((number, k) => {
          const name = picked.get(k)
          const title = told(number)
          return (
            <li key={`${number.name} ${number.value}`}>
              <Checkbox
                checked={name !== undefined}
                onChange={({ target }) => toggle(k, target.checked ? number.name : null)}
              >
                {title} <span className={styles.note}>{placesText(number)}</span>
              </Checkbox>
              {name === undefined ? null : (
                <ParameterName
                  label={t('name.parameter', { title })}
                  name={name}
                  isRefused={refused.has(k)}
                  onChange={(next) => toggle(k, next)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

type ParameterNameProps = {
  label: string
  name: string
  isRefused: boolean
  onChange: (name: string) => void
}

function ParameterName({ label, name, isRefused, onChange }: ParameterNameProps) {
  const { t } = useTranslation('dripe')
  const id = useId()
  return (
    <div className={styles.parameter}>
      <Input
        size="small"
        value={name}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? id : undefined}
        status={isRefused ? 'error' : ''}
        onChange={(event) => onChange(typedName(event.target.value))}
      />
      {isRefused ? (
        <p id={id} role="alert" className={styles.note} data-wrong>
          {t(isId(name) ? 'name.parameterTaken' : 'name.rule')}
        </p>
      ) : null}
    </div>
  )
}

/** More layers than this are told by their number. */
const mostNamed = 3

function placesText({ places }: BlockNumber): string {
  const names = places.map(({ node }) => node)
  if (names.length <= mostNamed) return names.join(', ')
  return `${names.slice(0, mostNamed).join(', ')} +${formatNumber(names.length - mostNamed, 0)}`
}

/** A safety term of 1e-6 is no nought. */
const mostDigits = 12

/** `Output channels: 64`, as the field of the layer is called. */
function useNumberText({ document, block }: BlockDraft): (number: BlockNumber) => string {
  const words = useWords()
  const { vocabulary } = useWorkbench().store.getState()
  return ({ value, places: [place] }) => {
    const op = document.blocks.get(block)?.nodes.get(place?.node ?? '')?.op ?? ''
    const spec = fieldSpecs(op, document, vocabulary).find(({ name }) => name === place?.param)
    return `${words.setting(op, place?.param ?? '', spec?.title)}: ${formatNumber(value, mostDigits)}`
  }
}

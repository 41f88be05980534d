import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import dialogs from '../src/ui/share/group-dialog.module.css'
import { JoinGroupDialog } from '../src/ui/share/join-group-dialog.tsx'
import styles from '../src/ui/share/share.module.css'
import { ShareForm } from '../src/ui/share/share-form.tsx'
import { renderPart } from './render.tsx'

/** What the style sheet says of a selector: there is no layout here to measure. */
const ruleOf = (sheet: string, selector: string): string => {
  const css = readFileSync(join(import.meta.dirname, `../src/ui/share/${sheet}`), 'utf8')
  return css.split(`\n${selector} {`)[1]?.split('}')[0] ?? ''
}

// Ant Design cancels the margin of a field with help by a negative one inside it, which margins around it collapse with.
describe('the room under a line of help', () => {
  it('is kept by the form for sharing: the negative margin does not leave it', async () => {
    renderPart(<ShareForm rights={[]} first="view" onShare={async () => ({ member: null })} />)
    const field = await screen.findByRole('textbox', { name: 'Account' })
    expect(field.closest('form')).toHaveClass(styles.form ?? 'none')
    expect(ruleOf('share.module.css', '.form')).toMatch(/display: flow-root;[\s\S]*margin-bottom: var\(/)
  })

  it('is padding in dialogs of groups', async () => {
    const texts = {
      title: 'Join',
      join: 'Join',
      number: 'Number',
      numberHelp: 'Six digits',
      password: '',
      joined: '',
    }
    const later = () => undefined
    renderPart(
      <JoinGroupDialog
        {...{ texts, number: '', onNumber: later, mostPassword: 20, error: null, isBusy: false }}
        {...{ onJoin: later, onTyped: later, onClose: later }}
      />,
    )
    const help = await screen.findByText('Six digits')
    expect(help.closest(`.${dialogs.helped}`)).not.toBeNull()
    const rule = ruleOf('group-dialog.module.css', '.helped.helped')
    expect(rule).toMatch(/margin-bottom: 0;[\s\S]*padding-bottom: var\(/)
  })
})

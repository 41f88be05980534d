import { topics } from '@neuroloom/contract/accounts/message-rules'
import { ContactPage } from './contact-page.tsx'
import { MessageForm } from './message-form.tsx'

/** Asks for advice about a project of one's own. */
export function Consult() {
  return (
    <ContactPage name="consult">
      <MessageForm kind="consultation" topicNames={topics} />
    </ContactPage>
  )
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/pinnedrows.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"

namespace lk {

namespace {

constexpr qsizetype mostRemembered = 1000; // settings may hold any number

QString idText(const PrimitiveId& id)
{
    return QString::fromLatin1(id.layout + ' ' + id.name.toPercentEncoding(":/_-.{}"));
}

} // namespace

void PinnedRows::setSession(Session* session)
{
    if (m_session)
        m_session->disconnectAll(this);
    m_session = session;
    m_waiting.clear();
    if (m_session)
        connect(&m_session->states(), &SessionStates::changed, this, &PinnedRows::onChanged);
}

QStringList PinnedRows::ids() const
{
    QSet<PrimitiveId> all = m_waiting;
    for (const Handle handle : m_session ? m_session->polling().pinned() : QSet<Handle>()) {
        const StatePtr state = m_session->states().at(handle);
        if (state && state->kind() != Kind::Token)
            all.insert(state->primitive->id);
    }
    QStringList texts;
    for (const PrimitiveId& id : all)
        texts << idText(id);
    texts.sort();
    return texts.mid(0, mostRemembered);
}

void PinnedRows::pin(const QStringList& ids)
{
    m_waiting.clear();
    for (const QString& text : ids.mid(0, mostRemembered)) {
        const QByteArray bytes = text.toLatin1();
        const qsizetype space = bytes.indexOf(' ');
        if (space > 0)
            m_waiting.insert(
                {bytes.left(space), QByteArray::fromPercentEncoding(bytes.mid(space + 1))});
    }
    if (!m_session || m_waiting.isEmpty())
        return;
    const auto known = m_session->states().handlesOf(m_waiting);
    for (auto it = known.begin(); it != known.end(); ++it) {
        m_waiting.remove(it.key());
        m_session->polling().setPinned(it.value(), true);
    }
}

void PinnedRows::carryOver(const Session& live, Session& past)
{
    for (const Handle handle : live.polling().pinned())
        past.polling().setPinned(handle, true);
}

void PinnedRows::onChanged(const DeltaPtr& delta)
{
    if (m_waiting.isEmpty())
        return;
    for (const StateChange& change : delta->changes) {
        if (change.state && m_waiting.remove(change.state->primitive->id))
            m_session->polling().setPinned(change.handle, true);
    }
}

} // namespace lk

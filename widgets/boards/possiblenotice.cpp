// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/boards/possiblenotice.h"

#include "backend/session/sessionstates.h"
#include "backend/text/kindtitles.h"
#include "widgets/declare/possibledialog.h"
#include "widgets/theme/theme.h"

#include <QLocale>

namespace lk {

PossibleNotice::PossibleNotice(Kind kind, QWidget* parent)
    : QToolButton(parent)
    , m_kind(kind)
{
    setObjectName(QStringLiteral("possibleLine"));
    setFont(uiFont(TextSize::Caption));
    setAutoRaise(true);
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(tr("Keys whose name or content matches without proof: not counted, no findings."));
    connect(this, &QToolButton::clicked, this, [this] {
        if (m_session)
            PossibleDialog::open(m_session, m_kind, this);
    });
    update();
}

void PossibleNotice::setSession(Session* session)
{
    if (m_session)
        m_session->disconnectAll(this);
    m_session = session;
    if (session)
        connect(&session->states(), &SessionStates::possibleChanged, this, &PossibleNotice::update);
    update();
}

void PossibleNotice::update()
{
    const qint64 count = m_session ? m_session->states().possible()->count(m_kind) : 0;
    setVisible(count > 0);
    const QString text =
        tr("Possible %1: %2…").arg(kindPluralWord(m_kind), QLocale().toString(count));
    setText(text);
    setAccessibleName(text);
}

} // namespace lk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/autorequeueline.h"

#include "backend/acting/autorequeue/autorequeue.h"
#include "backend/core/names/keyname.h"
#include "backend/session/sessionacting.h"
#include "backend/text/time/duration.h"
#include "widgets/actions/dialog/autorequeuedialog.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"

#include <QDateTime>
#include <QLabel>
#include <QLocale>

namespace lk {

namespace {

using Phase = AutoRequeueStatus::Phase;

QString textOf(const AutoRequeueStatus& status)
{
    switch (status.phase) {
    case Phase::Off:
        return AutoRequeueNotice::tr("Auto-requeue: off");
    case Phase::Starting:
        return AutoRequeueNotice::tr("Auto-requeue: checking for other consoles");
    case Phase::Here: {
        const QString here =
            AutoRequeueNotice::tr("Auto-requeue: on since %1; %Ln requeued", nullptr,
                                  int(status.requeued))
                .arg(QLocale().toString(QDateTime::fromMSecsSinceEpoch(status.sinceMs).time(),
                                        QLocale::ShortFormat));
        return status.note.isEmpty() ? here : QStringLiteral("%1. %2").arg(here, status.note);
    }
    case Phase::Elsewhere:
        return AutoRequeueNotice::tr("Auto-requeue: standing by; another console does it (%1)")
            .arg(displayPreview(status.holder, 60));
    case Phase::Ended:
        break;
    }
    return AutoRequeueNotice::tr("Auto-requeue: stopped, %1; %Ln requeued", nullptr,
                                 int(status.requeued))
        .arg(status.why);
}

} // namespace

AutoRequeueNotice::AutoRequeueNotice(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel)
    , m_text(new QLabel)
    , m_button(new QPushButton(tr("Auto-requeue stuck jobs…")))
{
    rowIn(this, {}, 8,
          {{m_icon, 0, Qt::AlignVCenter}, {m_text, 1}, {m_button, 0, Qt::AlignVCenter}});
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText); // what a server holds is never markup
    m_button->setObjectName(QStringLiteral("autoRequeue"));
    m_button->setCheckable(true);
    connect(m_button, &QPushButton::clicked, this, &AutoRequeueNotice::onClicked);
    hide();
    onPaletteChange(this, [this] { refresh(); });
}

void AutoRequeueNotice::setQueue(Session& session, const PrimitivePtr& queue)
{
    if (m_session != &session) {
        if (m_session)
            m_session->disconnectAll(this);
        m_session = &session;
        m_queue.reset();
        connect(&m_session->acting(), &SessionActing::autoRequeueChanged, this,
                [this](const PrimitiveId& id) {
                    if (m_queue && id == m_queue->id)
                        refresh();
                });
    }
    if (m_queue == queue)
        return;
    m_queue = queue;
    setVisible(!session.isPast() && AutoRequeue::unavailable(*queue).isEmpty());
    refresh();
}

void AutoRequeueNotice::refresh()
{
    if (!m_session || !m_queue)
        return;
    const AutoRequeueStatus status = m_session->acting().autoRequeue(m_queue->id);
    m_text->setText(textOf(status));
    const int side = m_text->fontMetrics().height();
    const QString name = status.phase == Phase::Here    ? QStringLiteral("play")
                         : status.phase == Phase::Ended ? QStringLiteral("info")
                         : status.isOn()                ? QStringLiteral("clock")
                                                        : QStringLiteral("idle");
    m_icon->setPixmap(lk::icon(name, palette()).pixmap(side, side));
    m_button->setChecked(status.isOn());
    m_button->setText(status.isOn() ? tr("Stop auto-requeue") : tr("Auto-requeue stuck jobs…"));
    m_button->setToolTip(
        status.isOn() ? tr("Releases its lock immediately")
                      : tr("Every few seconds, requeues jobs that have been in progress for too "
                           "long, while write mode is on"));
}

// The button shows the current state, not the requested one, which comes when it has begun.
void AutoRequeueNotice::onClicked()
{
    if (!m_session || !m_queue)
        return;
    const bool on = m_session->acting().autoRequeue(m_queue->id).isOn();
    m_button->setChecked(on);
    if (on)
        m_session->acting().stopAutoRequeue(m_queue->id);
    else
        AutoRequeueDialog::open(m_session, m_queue, this);
}

} // namespace lk

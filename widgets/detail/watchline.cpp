// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/watchline.h"

#include "backend/core/duration.h"
#include "backend/core/keyname.h"
#include "widgets/actions/watchdialog.h"
#include "widgets/theme/icon.h"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

namespace lk {

namespace {

using Phase = QueueWatch::Phase;

QString textOf(const QueueWatch& watch)
{
    switch (watch.phase) {
    case Phase::Off:
        return WatchLine::tr("Watcher: off");
    case Phase::Starting:
        return WatchLine::tr("Watcher: asking whether another one watches");
    case Phase::Here: {
        const QString here =
            WatchLine::tr("Watcher: this console, since %1; %Ln put back", nullptr,
                          int(watch.putBack))
                .arg(QLocale().toString(QDateTime::fromMSecsSinceEpoch(watch.sinceMs).time(),
                                        QLocale::ShortFormat));
        return watch.note.isEmpty() ? here : QStringLiteral("%1. %2").arg(here, watch.note);
    }
    case Phase::Elsewhere:
        return WatchLine::tr("Watcher: another console watches this queue (%1); this one stands by")
            .arg(displayPreview(watch.holder, 60));
    case Phase::Ended:
        break;
    }
    return WatchLine::tr("Watcher: ended, %1; %Ln put back", nullptr, int(watch.putBack))
        .arg(watch.why);
}

} // namespace

WatchLine::WatchLine(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel)
    , m_text(new QLabel)
    , m_button(new QPushButton(tr("Auto-requeue stuck jobs…")))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_icon, 0, Qt::AlignVCenter);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_button, 0, Qt::AlignVCenter);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText); // what a server holds is never markup
    m_button->setObjectName(QStringLiteral("watchQueue"));
    m_button->setCheckable(true);
    connect(m_button, &QPushButton::clicked, this, &WatchLine::onClicked);
    hide();
}

void WatchLine::setQueue(Session& session, const PrimitivePtr& queue)
{
    if (m_session != &session) {
        if (m_session)
            m_session->disconnect(this);
        m_session = &session;
        connect(m_session, &Session::queueWatchChanged, this, [this](const PrimitiveId& id) {
            if (m_queue && id == m_queue->id)
                refresh();
        });
    }
    if (m_queue == queue)
        return;
    m_queue = queue;
    setVisible(QueueWatcher::unavailable(*queue).isEmpty());
    refresh();
}

void WatchLine::refresh()
{
    if (!m_session || !m_queue)
        return;
    const QueueWatch watch = m_session->queueWatch(m_queue->id);
    m_text->setText(textOf(watch));
    const int side = m_text->fontMetrics().height();
    const QString name = watch.phase == Phase::Here    ? QStringLiteral("play")
                         : watch.phase == Phase::Ended ? QStringLiteral("info")
                         : watch.isOn()                ? QStringLiteral("clock")
                                                       : QStringLiteral("idle");
    m_icon->setPixmap(lk::icon(name, palette()).pixmap(side, side));
    m_button->setChecked(watch.isOn());
    m_button->setText(watch.isOn() ? tr("Stop putting back") : tr("Auto-requeue stuck jobs…"));
    m_button->setToolTip(
        watch.isOn() ? tr("Its lock is given back at once")
                     : tr("Every few seconds, what has been in processing for too long goes back "
                          "to the workers, as long as the session is armed"));
}

void WatchLine::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

// The button shows what is, not what is wished: that comes with the watcher's own word.
void WatchLine::onClicked()
{
    if (!m_session || !m_queue)
        return;
    const bool on = m_session->queueWatch(m_queue->id).isOn();
    m_button->setChecked(on);
    if (on)
        m_session->unwatchQueue(m_queue->id);
    else
        WatchDialog::open(m_session, m_queue, this);
}

} // namespace lk

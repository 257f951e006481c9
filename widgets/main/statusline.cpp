// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/statusline.h"

#include "backend/session/session.h"
#include "backend/session/sessionpolling.h"
#include "widgets/controls/labels/elidedlabel.h"
#include "widgets/server/statustexts.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QLocale>
#include <QPainter>
#include <QToolButton>

namespace lk {

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent)
    , m_scan(new ElidedLabel(nullptr, Qt::ElideRight))
    , m_stop(new QToolButton)
    , m_feed(new ElidedLabel(nullptr, Qt::ElideRight))
    , m_cost(new ElidedLabel(nullptr, Qt::ElideRight))
{
    auto* layout = rowIn(this, {16, 5, 16, 4}, 24);
    for (ElidedLabel* label : {m_scan, m_feed, m_cost}) {
        label->setFont(uiFont(TextSize::Caption));
        label->setForegroundRole(QPalette::PlaceholderText);
    }
    m_stop->setText(tr("Stop"));
    m_stop->setFont(uiFont(TextSize::Caption));
    m_stop->setAccessibleName(tr("Stop the scan"));
    m_stop->setToolTip(tr("Stop the scan (Shift+F5); F5 scans again"));
    m_stop->setFocusPolicy(Qt::StrongFocus);
    m_stop->hide();
    connect(m_stop, &QToolButton::clicked, this, [this] {
        if (m_session)
            m_session->polling().stopScan();
    });
    layout->addWidget(m_scan);
    layout->addWidget(m_stop);
    layout->addStretch(1);
    layout->addWidget(m_feed);
    layout->addStretch(1);
    layout->addWidget(m_cost);
}

void StatusLine::setSession(Session* session)
{
    if (m_session)
        m_session->disconnectAll(this);
    m_session = session;
    if (m_session) {
        connect(m_session, &Session::reported, this, &StatusLine::refresh);
        connect(m_session, &Session::statusChanged, this, &StatusLine::refresh);
    }
    refresh();
}

void StatusLine::refresh()
{
    const bool ready = m_session && m_session->status().phase == ConnectionStatus::Phase::Ready;
    for (ElidedLabel* label : {m_scan, m_feed, m_cost})
        label->setVisible(ready);
    if (!ready)
        m_stop->hide();
    if (!ready)
        return;
    const MonitorReport& report = m_session->report();
    m_scan->setText(scanText(report));
    m_scan->setToolTip(plainTip(m_scan->text() + QLatin1Char('\n') + scanToolTip(report)));
    m_stop->setVisible(report.scanning && report.firstScan);
    m_feed->setText(tr("changes: %1").arg(feedText(report.feed)));
    m_feed->setToolTip(plainTip(m_feed->text() + QLatin1Char('\n') + feedToolTip(report.feed)));
    const QString cost = tr("own cost %1").arg(costText(report.cost));
    QString waiting;
    if (report.isBehind())
        waiting = tr(" \u00b7 %1 changes waiting").arg(QLocale().toString(report.backlog));
    m_cost->setText(cost + waiting + payloadText(report));
    if (layout()->sizeHint().width() > width()) // the tooltip has it; a cut word misleads
        m_cost->setText(cost);
    m_cost->setToolTip(cost + waiting + QLatin1Char('\n') +
                       tr("Load that this console puts on the server. Round trip %1, clock %2.")
                           .arg(roundTripText(report.cost), clockText(report.clock)) +
                       QLatin1Char('\n') + payloadToolTip(report));
}

void StatusLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.surface);
    painter.fillRect(QRect(0, 0, width(), 1), colors.border);
}

} // namespace lk

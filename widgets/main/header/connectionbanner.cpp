// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/header/connectionbanner.h"

#include "backend/session/masterelsewhere.h"
#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "backend/text/errortext.h"
#include "widgets/server/statustexts.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace lk {

ConnectionBanner::ConnectionBanner(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel)
    , m_text(new QLabel)
    , m_retry(new QPushButton(tr("Try now")))
    , m_password(new QPushButton(tr("Enter password…")))
    , m_master(new QPushButton)
{
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setObjectName(QStringLiteral("connectionText"));
    rowIn(this, {16, 8, 16, 8}, 12, {m_icon, {m_text, 1}, m_master, m_password, m_retry});
    m_second.setInterval(500);
    connect(&m_second, &QTimer::timeout, this, &ConnectionBanner::refresh);
    m_refusedFor.setSingleShot(true);
    m_refusedFor.setInterval(15'000);
    connect(&m_refusedFor, &QTimer::timeout, this, [this] {
        m_refused.clear();
        refresh();
    });
    connect(m_retry, &QPushButton::clicked, this, [this] {
        if (m_session)
            m_session->retryNow();
    });
    connect(m_password, &QPushButton::clicked, this, &ConnectionBanner::passwordWanted);
    connect(m_master, &QPushButton::clicked, this, [this] {
        if (const QString master = offeredMaster(); !master.isEmpty())
            emit masterWanted(master);
    });
    hide();
    onPaletteChange(this, [this] { refresh(); });
}

void ConnectionBanner::setSession(Session* session)
{
    if (m_session)
        m_session->disconnectAll(this);
    m_session = session;
    m_sinceLost.invalidate();
    m_demoted.clear();
    m_refused.clear();
    if (m_session) {
        connect(&m_session->acting(), &SessionActing::writeModeFailed, this,
                [this](const Error& error) {
                    m_refused = tr("This session stays read-only: %1.").arg(errorText(error));
                    m_refusedFor.start();
                    refresh();
                });
        connect(m_session, &Session::demoted, this, [this](const QString& master) {
            m_demoted =
                master.isEmpty()
                    ? tr("This server is now a replica: write mode is off.")
                    : tr("This server is now a replica of %1: write mode is off.").arg(master);
            refresh();
        });
        connect(m_session, &Session::infoChanged, this, [this](const ServerInfo& info) {
            if (info.role() == NodeRole::Master)
                m_demoted.clear();
            refresh();
        });
        connect(m_session, &Session::reported, this, &ConnectionBanner::refresh);
        connect(m_session, &Session::statusChanged, this, [this](const ConnectionStatus& status) {
            m_sinceStatus.start();
            if (status.phase == ConnectionStatus::Phase::Ready)
                m_sinceLost.invalidate();
            else if (status.phase == ConnectionStatus::Phase::Lost && !m_sinceLost.isValid())
                m_sinceLost.start();
            refresh();
        });
        m_sinceStatus.start();
    }
    refresh();
}

void ConnectionBanner::setNotice(const QString& text)
{
    m_notice = text;
    refresh();
}

QString ConnectionBanner::text() const
{
    return m_text->text();
}

QString ConnectionBanner::readyText() const
{
    QStringList lines;
    if (!m_notice.isEmpty())
        lines << m_notice;
    if (!m_demoted.isEmpty())
        lines << m_demoted;
    if (!m_refused.isEmpty())
        lines << m_refused;
    if (m_session)
        lines << serverTrouble(m_session->info(), m_session->report());
    return lines.join(QLatin1Char('\n'));
}

// A user who looks at a replica on purpose is not reminded of its master all the time.
QString ConnectionBanner::offeredMaster() const
{
    const bool told = !m_demoted.isEmpty() || !m_refused.isEmpty();
    return m_session && told ? masterElsewhere(*m_session) : QString();
}

void ConnectionBanner::refresh()
{
    using Phase = ConnectionStatus::Phase;
    const bool ready = !m_session || m_session->status().phase == Phase::Ready;
    const QString toldWhenReady = ready ? readyText() : QString();
    const bool shown = !ready || !toldWhenReady.isEmpty();
    setVisible(shown);
    if (!shown) {
        m_second.stop();
        return;
    }
    const ConnectionStatus status = m_session ? m_session->status() : ConnectionStatus();
    const bool lost = !ready && status.phase == Phase::Lost;
    const bool login = lost && isLogin(status.error.code);
    if (ready) {
        m_second.stop();
        m_text->setText(toldWhenReady);
    } else {
        const qint64 next = status.nextTryInMs > 0
                                ? std::max<qint64>(1, status.nextTryInMs - m_sinceStatus.elapsed())
                                : 0;
        m_text->setText(connectionText(status, m_session->url().endpoint(),
                                       m_sinceLost.isValid() ? m_sinceLost.elapsed() : 0, next));
        m_second.start();
    }
    const int side = m_text->fontMetrics().height() + 2;
    const bool bad = lost || !toldWhenReady.isEmpty();
    m_icon->setPixmap(icon(bad ? QStringLiteral("warning") : QStringLiteral("clock"),
                           bad ? ColorRole::Warning : ColorRole::Accent, palette())
                          .pixmap(side, side));
    m_retry->setVisible(lost && !login);
    m_password->setVisible(login);
    const QString master = ready ? offeredMaster() : QString();
    m_master->setText(tr("Connect to %1").arg(QString(master).replace(u'&', QLatin1String("&&"))));
    m_master->setVisible(!master.isEmpty());
}

void ConnectionBanner::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    using Phase = ConnectionStatus::Phase;
    const Phase phase = m_session ? m_session->status().phase : Phase::Ready;
    const bool bad = phase == Phase::Lost || phase == Phase::Ready;
    painter.fillRect(rect(), colors.surface);
    painter.fillRect(rect(), colors.tint(bad ? ColorRole::Warning : ColorRole::Accent));
    painter.fillRect(QRect(0, height() - 1, width(), 1), colors.border);
}

} // namespace lk

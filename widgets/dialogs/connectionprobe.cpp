// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/connectionprobe.h"

#include "backend/redis/topology/router.h"
#include "widgets/controls/inlinemessage.h"

#include <QCoreApplication>
#include <QLocale>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ConnectionProbe)
};

QString roleText(const QString& role)
{
    if (role == QLatin1String("replica"))
        return Text::tr("a replica");
    return role == QLatin1String("master") ? Text::tr("a master") : role;
}

QString roundTripText(double ms)
{
    return ms < 0.1 ? Text::tr("round trip under 0.1 ms")
                    : Text::tr("round trip %1 ms").arg(QLocale().toString(ms, 'f', 1));
}

QString factsText(const ProbeReport& report)
{
    QStringList facts;
    if (!report.info.version().isEmpty())
        facts << Text::tr("Redis %1").arg(report.info.version());
    if (!report.info.role().isEmpty())
        facts << roleText(report.info.role());
    if (const QString mode = report.info.mode(); mode == QLatin1String("cluster"))
        facts << Text::tr("a cluster node");
    else if (mode == QLatin1String("sentinel"))
        facts << Text::tr("a Sentinel, which stores no keys");
    if (report.roundTripMs >= 0)
        facts << roundTripText(report.roundTripMs);
    if (report.keys >= 0)
        facts << (report.keys == 1 ? Text::tr("1 key")
                                   : Text::tr("%1 keys").arg(QLocale().toString(report.keys)));
    return facts.join(QStringLiteral(", "));
}

} // namespace

QString probeText(const ProbeReport& report)
{
    if (report.error)
        return sentences(*report.error);
    const QString facts = factsText(report);
    const QString connected =
        facts.isEmpty() ? Text::tr("Connected.") : Text::tr("Connected: %1.").arg(facts);
    return report.infoRefused ? connected + QLatin1Char(' ') + sentences(*report.infoRefused)
                              : connected;
}

void ConnectionProbe::start(const ServerUrl& url)
{
    cancel();
    m_report = {};
    m_router = new Router(url, this);
    connect(m_router, &Router::statusChanged, this, &ConnectionProbe::onStatus);
    m_router->open();
}

void ConnectionProbe::cancel()
{
    if (!m_router)
        return;
    m_router->disconnect(this);
    m_router->close();
    m_router->deleteLater(); // it may be the one that is calling
    m_router = nullptr;
}

void ConnectionProbe::onStatus(const ConnectionStatus& status)
{
    if (status.phase == ConnectionStatus::Phase::Lost) {
        m_report.error = status.error;
        finish();
    } else if (status.phase == ConnectionStatus::Phase::Ready) {
        // An answer to an earlier try may still be on its way here.
        m_router->send({{"INFO"}, {"DBSIZE"}}, m_router,
                       [this, asked = m_router](const BatchResult& replies) {
                           if (asked == m_router)
                               onInfo(replies);
                       });
    }
}

void ConnectionProbe::onInfo(const BatchResult& replies)
{
    if (!replies) {
        m_report.error = replies.error();
        finish();
        return;
    }
    if (const Reply& info = replies->at(0); info.isError())
        m_report.infoRefused = errorFromReply(info.text);
    else
        m_report.info = ServerInfo::fromReply(info);
    if (const Reply& size = replies->at(1); size.isInteger())
        m_report.keys = size.integer;
    // Measured alone: INFO is slow to make and long.
    m_router->send({{"PING"}}, m_router, [this, asked = m_router](const auto& pong) {
        if (asked != m_router)
            return;
        if (pong)
            m_report.roundTripMs = m_router->roundTripMs();
        else
            m_report.error = pong.error();
        finish();
    });
}

void ConnectionProbe::finish()
{
    cancel();
    emit finished(m_report);
}

} // namespace lk

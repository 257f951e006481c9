// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/keeper/alertkeeper.h"
#include "backend/alerts/rules/notificationjson.h"
#include "backend/config/config.h"
#include "tests/support/hookserver.h"

#include <QJsonDocument>
#include <QTemporaryDir>

namespace lk::test {

/// Where the alerts of one test are kept, and its time.
struct AlertPlace
{
    static constexpr qint64 startMs = 1'700'000'000'000;

    QTemporaryDir folder;
    QString file;
    ManualClock clock{startMs};

    void begin()
    {
        static int n = 0;
        file = folder.filePath(QStringLiteral("alerts-%1.db").arg(n++));
    }
};

/// One program's part in telling them.
struct Teller
{
    Teller(AlertPlace& place, const QByteArray& toml, bool desktop = false)
        : clock(&place.clock)
    {
        const Result<Config> config =
            parseConfig("[alerts]\nbuilt_in = false\n" + toml, QStringLiteral("t"));
        if (!config)
            qFatal("%s", qPrintable(config.error().detail));
        const AlertIdentity identity{{QStringLiteral("redis:10.0.0.1:6379/0")},
                                     QStringLiteral("10.0.0.1:6379/0")};
        AlertKeeper::Setup setup;
        setup.file = place.file;
        setup.identity = identity;
        setup.title = QStringLiteral("orders-eu");
        setup.desktop = desktop;
        setup.settings = config->alerts;
        setup.clock = clock;
        keeper = std::make_unique<AlertKeeper>(std::move(setup));
        QObject::connect(keeper.get(), &AlertKeeper::changed, keeper.get(),
                         [this](const AlertsPtr& now) { alerts = now; });
        QObject::connect(keeper.get(), &AlertKeeper::desktopWanted, keeper.get(),
                         [this](const QByteArray& json) {
                             shown << json;
                             keeper->desktopAnswered(idOf(json), desktopProblem);
                         });
        QObject::connect(keeper.get(), &AlertKeeper::tested, keeper.get(),
                         [this](const QByteArray&, const QString& problem) { tested << problem; });
        keeper->start();
        keeper->identify(identity);
    }
    /// A second as the timer would have it, after so long.
    void pass(qint64 ms) const
    {
        clock->advance(ms);
        keeper->everySecond();
    }
    /// The rules find jobs stuck in these queues, and in no others.
    void find(const QByteArrayList& names) const
    {
        auto all = std::make_shared<LiveFindings>();
        for (const QByteArray& name : names) {
            LiveFinding live;
            live.finding = {"queue-stuck", Finding::Severity::Error, name, name,
                            QStringLiteral("stuck")};
            live.finding.kind = Kind::Queue;
            all->rows.push_back(std::make_shared<LiveFinding>(live));
        }
        keeper->setFindings(all);
        keeper->setScanned();
        keeper->everySecond();
    }
    QString problem() const
    {
        return alerts && !alerts->targets.empty() ? alerts->targets.front().problem : QString();
    }
    qint64 queued() const
    {
        return alerts && !alerts->targets.empty() ? alerts->targets.front().queued : -1;
    }

    ManualClock* clock;
    AlertsPtr alerts;
    QByteArrayList shown;
    QString desktopProblem; ///< the desktop's error; empty if there is none
    QStringList tested;
    std::unique_ptr<AlertKeeper> keeper;
};

/// A rule, and a webhook at that port of this machine that it notifies.
inline QByteArray hook(quint16 port, const QByteArray& more = {}, const QByteArray& scheme = "http")
{
    return "[[alert]]\nwhen = 'queue-stuck'\nnotify = ['hook']\n[notify.hook]\nwebhook = '" +
           scheme + "://localhost:" + QByteArray::number(port) + "/hook?t=S3CRET-PATH'\n" + more;
}

/// The event in a webhook's request: "fired", "resolved", "test".
inline QByteArray eventOf(const HookServer::Request& request)
{
    return QJsonDocument::fromJson(request.body)[QStringLiteral("event")].toString().toLatin1();
}

} // namespace lk::test

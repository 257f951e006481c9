// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/server/serverinfo.h"
#include "backend/report/snapshot/snapshotreport.h"
#include "backend/report/snapshot/snapshottaker.h"
#include "tests/support/redisserver.h"

#include <QBuffer>
#include <QEventLoop>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QTimer>

namespace lk::test {

/// One snapshot, and its output on the command line.
struct TakenSnapshot
{
    std::shared_ptr<const Snapshot> snapshot; ///< null: it failed
    Error error;
    int answers = 0; ///< how often it finished or failed: once
    QByteArray json;
    QByteArray text;
    QJsonObject root;

    QJsonArray list(const char* kind) const { return root[QLatin1String(kind)].toArray(); }
    QJsonObject scan() const { return root[QLatin1String("scan")].toObject(); }
    /// The one of that name; empty if there is none or more than one.
    QJsonObject named(const char* kind, const QByteArray& name) const
    {
        QJsonObject found;
        int count = 0;
        for (const QJsonValue& v : list(kind)) {
            if (v[QLatin1String("name")].toString().toUtf8() == name) {
                found = v.toObject();
                ++count;
            }
        }
        return count == 1 ? found : QJsonObject();
    }
    QByteArrayList names(const char* kind) const
    {
        QByteArrayList all;
        for (const QJsonValue& v : list(kind))
            all << v[QLatin1String("name")].toString().toUtf8();
        return all;
    }
    QByteArrayList findings(const QByteArray& name) const
    {
        QByteArrayList codes;
        for (const QJsonValue& v : list("findings")) {
            if (v[QLatin1String("name")].toString().toUtf8() == name)
                codes << v[QLatin1String("code")].toString().toLatin1();
        }
        return codes;
    }
};

/// Takes a look at the server; during is called after it was started, from the event loop.
inline TakenSnapshot takeSnapshot(const ServerUrl& url, const Config& config = {},
                                  const std::function<void()>& during = {}, int patienceMs = 30'000,
                                  SnapshotScope scope = {})
{
    const SystemClock clock;
    TakenSnapshot taken;
    SnapshotTaker taker(url, config, clock, std::move(scope));
    QObject::connect(&taker, &SnapshotTaker::finished, &taker,
                     [&](const std::shared_ptr<const Snapshot>& snapshot) {
                         taken.snapshot = snapshot;
                         ++taken.answers;
                     });
    QObject::connect(&taker, &SnapshotTaker::failed, &taker, [&](const Error& error) {
        taken.error = error;
        ++taken.answers;
    });
    taker.start();
    if (during)
        QTimer::singleShot(0, &taker, during);
    // Not by qWaitFor: it sleeps between two looks at the sockets, and a snapshot is many of them.
    QEventLoop loop;
    QObject::connect(&taker, &SnapshotTaker::finished, &loop, &QEventLoop::quit);
    QObject::connect(&taker, &SnapshotTaker::failed, &loop, &QEventLoop::quit);
    QTimer::singleShot(patienceMs, &loop, &QEventLoop::quit);
    loop.exec();
    if (taken.answers == 0)
        taken.error = {ErrorCode::Timeout, QStringLiteral("the test's patience")};
    QCoreApplication::processEvents(); // were there a second answer, it would come now
    if (!taken.snapshot)
        return taken;
    QBuffer json(&taken.json);
    QBuffer text(&taken.text);
    json.open(QIODevice::WriteOnly);
    text.open(QIODevice::WriteOnly);
    // Tests look primitives up by their real names; tst_codes checks that codes are masked.
    writeJson(*taken.snapshot, json, Codes::Revealed);
    writeText(*taken.snapshot, text, Codes::Revealed);
    QJsonParseError problem;
    taken.root = QJsonDocument::fromJson(taken.json, &problem).object();
    if (problem.error != QJsonParseError::NoError)
        qWarning("not JSON: %s at %d", qPrintable(problem.errorString()), problem.offset);
    return taken;
}

inline Config configOf(const QByteArray& toml)
{
    const Result<Config> config = parseConfig(toml, QStringLiteral("test.toml"));
    if (!config)
        qWarning("%s", qPrintable(config.error().detail));
    return config.value_or(Config());
}

inline qint64 serverNowMs(RedisServer& server)
{
    return timeFromReply(server.run({"TIME"})).value_or(0);
}

} // namespace lk::test

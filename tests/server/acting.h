// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/execution/runner.h"
#include "backend/acting/journal/undostorage.h"
#include "backend/acting/planning/planner.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/redis/connection.h"
#include "backend/text/errortext.h"
#include "tests/support/redisserver.h"
#include "tests/support/waiting.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QTimer>

namespace lk::test {

/// Like QTest::qWaitFor(), but never sleeps while there are events: a proxy in the test's own
/// thread forwards data at once.
template<typename Predicate> bool awaited(Predicate predicate, int patienceMs = 20'000)
{
    QTimer end;
    end.setSingleShot(true);
    end.start(patienceMs);
    while (!predicate() && end.isActive())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return predicate();
}

/// A store that keeps undo data on the disk, as with a keyring.
inline UndoStore keptUndo(const QString& folder)
{
    UndoStore store(folder);
    store.setKey(QByteArray(FolderUndoStorage::keyBytes, 'k'));
    return store;
}

/// Does not wait for the deadline: for tests in which nothing is under way any more.
inline ScriptTiming notWaited()
{
    ScriptTiming timing;
    timing.wait = [](qint64, QObject* context, const std::function<void()>& then) {
        QMetaObject::invokeMethod(context, then, Qt::QueuedConnection);
    };
    return timing;
}

using Values = std::map<QByteArray, QByteArray>;

/// A declared primitive, without discovery.
inline PrimitivePtr declaredPrimitive(const QByteArray& layoutId, const QByteArray& name,
                                      Declaration declaration = {})
{
    const Layout* layout = findLayout(layoutId);
    if (!layout)
        qFatal("no layout of that id");
    declaration.kind = layout->kind();
    declaration.pattern = name;
    declaration.layout = layoutId;
    const Claim claim = layout->declared(declaration, name);
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = layout->kind();
    primitive->id = claim.id;
    primitive->keys = claim.keys;
    primitive->declaration = std::make_shared<const Declaration>(declaration);
    return primitive;
}

/// Blocks in the event loop.
inline Result<Plan> plannedUndo(ActionRunner& runner, const QByteArray& receipt,
                                qint64 serverMs = 0)
{
    Result<Plan> result = failure(ErrorCode::Timeout);
    bool came = false;
    QObject context;
    launch(runner.planUndos({receipt}, serverMs, &context),
           [&](const std::vector<Result<Plan>>& plans) {
               result = plans.front();
               came = true;
           });
    return awaited([&] { return came; }) ? result : failure(ErrorCode::Timeout);
}

/// Plans and runs one step after the other, as the console does it: a connection that writes only
/// in write mode, a journal and an undo folder in a folder of its own. Blocks in the event loop.
class Actor final
{
public:
    explicit Actor(const ServerUrl& url, const Clock& clock = systemClock(),
                   const ScriptTiming& timing = notWaited())
        : connection(url, options())
        , runner(connection, Journal(journalFile()), keptUndo(folder() + QStringLiteral("/undo")),
                 clock, timing)
        , m_clock(clock)
    {}

    bool open()
    {
        connection.setWriteMode(true);
        connection.open();
        return awaited([this] { return connection.isReady(); });
    }
    QString folder() const { return m_folder.path(); }
    QString journalFile() const { return folder() + QStringLiteral("/state/journal.jsonl"); }

    Result<Plan> plan(const PrimitivePtr& target, const Action& action, const Values& values = {},
                      FirstSeen* firstSeen = nullptr)
    {
        Result<Plan> result = failure(ErrorCode::Timeout);
        int calls = 0;
        QObject context;
        const auto take = [&](Result<Plan> plan) {
            result = std::move(plan);
            ++calls;
        };
        launch(readLimits(connection, &context), [&, take](const Result<ServerLimits>& limits) {
            if (!limits)
                return take(tl::unexpected(limits.error()));
            launch(planAction(connection, {target, firstSeen}, action, ActionRequest{values},
                              *limits, {}, m_clock, &context),
                   take);
        });
        const bool came = awaited([&] { return calls > 0; });
        return came && calls == 1 ? result : failure(ErrorCode::Timeout);
    }
    Result<Plan> plan(const PrimitivePtr& target, const QByteArray& action,
                      const Values& values = {}, FirstSeen* firstSeen = nullptr)
    {
        const Action* found = findAction(*findLayout(target->id.layout), action);
        if (!found)
            return failure(ErrorCode::NotFound, QString::fromLatin1(action));
        return plan(target, *found, values, firstSeen);
    }

    Receipt run(const Plan& plan)
    {
        Receipt result;
        int calls = 0;
        QObject context;
        launch(runner.run(plan, QStringLiteral("a test"), &context), [&](const Receipt& receipt) {
            result = receipt;
            ++calls;
        });
        if (!awaited([&] { return calls > 0; }) || calls != 1)
            qFatal("no receipt, or several");
        return result;
    }
    Receipt act(const PrimitivePtr& target, const QByteArray& action, const Values& values = {})
    {
        const Result<Plan> made = plan(target, action, values);
        if (made)
            return run(*made);
        Receipt none;
        none.text = QStringLiteral("not planned: ") + errorText(made.error());
        return none;
    }
    Result<Plan> undoPlan(const QByteArray& receipt, qint64 serverMs = 0)
    {
        return plannedUndo(runner, receipt, serverMs);
    }
    Receipt undo(const QByteArray& receipt)
    {
        const Result<Plan> made = undoPlan(receipt);
        if (made)
            return run(*made);
        Receipt none;
        none.text = QStringLiteral("not planned: ") + errorText(made.error());
        return none;
    }

    std::vector<JournalEntry> journal() const
    {
        const Result<Journal::Contents> contents = runner.journal().read();
        return contents && contents->broken == 0 ? contents->entries : std::vector<JournalEntry>();
    }
    std::optional<JournalEntry> entry(const QByteArray& receipt) const
    {
        for (const JournalEntry& e : journal()) {
            if (e.receipt == receipt)
                return e;
        }
        return std::nullopt;
    }
    QByteArray journalBytes() const
    {
        QFile file(journalFile());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private:
    static Connection::Options options()
    {
        Connection::Options options;
        options.access = Connection::Access::Acting;
        return options;
    }
    static const Clock& systemClock()
    {
        static const SystemClock clock;
        return clock;
    }
    QTemporaryDir m_folder{QDir::tempPath() + QStringLiteral("/lk-XXXXXX")};

public:
    Connection connection;
    ActionRunner runner;

private:
    const Clock& m_clock;
};

/// Replaces {s-60}, {ms+500} and {us+1} in texts by the server's time plus the number.
class Timed final
{
public:
    explicit Timed(RedisServer& server)
    {
        const Reply time = server.line("TIME");
        m_us = time.items[0].text.toLongLong() * 1'000'000 + time.items[1].text.toLongLong();
    }
    QByteArray operator()(const QByteArray& text) const
    {
        static const QRegularExpression moment(QStringLiteral("\\{(s|ms|us)([+-]\\d+)\\}"));
        QString result = QString::fromUtf8(text);
        for (auto match = moment.match(result); match.hasMatch(); match = moment.match(result)) {
            const QString unit = match.captured(1);
            const qint64 part = unit == QLatin1String("s")    ? 1'000'000
                                : unit == QLatin1String("ms") ? 1'000
                                                              : 1;
            result.replace(match.capturedStart(), match.capturedLength(),
                           QString::number(m_us / part + match.captured(2).toLongLong()));
        }
        return result.toUtf8();
    }

private:
    qint64 m_us = 0;
};

/// Every key: its DUMP and when it expires, -1 if never.
using Everything = std::map<QByteArray, std::pair<QByteArray, qint64>>;

inline Everything everything(RedisServer& server)
{
    Everything all;
    for (const Reply& key : server.line("KEYS *").items)
        all[key.text] = {server.run({"DUMP", key.text}).text,
                         server.run({"PEXPIRETIME", key.text}).integer};
    return all;
}

} // namespace lk::test

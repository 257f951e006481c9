// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/execution/outcomecheck.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/libraries/api/layout.h"
#include "backend/polling/reader.h"
#include "backend/redis/replies.h"
#include "backend/redis/server/capabilities.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct OutcomeCheckText
{
    Q_DECLARE_TR_FUNCTIONS(lk::OutcomeCheck)
};

constexpr size_t mostJobs = 50;  // looked for
constexpr size_t mostKeys = 10;  // read
constexpr qint64 reach = 10'000; // how far from each end of a list jobs are looked for
constexpr int patienceMs = 15'000;

Connection::Options options()
{
    Connection::Options result;
    result.clientName = QByteArrayLiteral("lockkeeper-act");
    return result;
}

// The payloads that a plan puts, moves or takes; none where it is not about jobs.
std::vector<QByteArray> jobsOf(const Plan& plan)
{
    if (plan.script == "queue-push" && !plan.args.empty())
        return {plan.args.back()};
    if (!plan.action.startsWith("queue."))
        return {};
    std::vector<QByteArray> jobs = plan.items;
    if (jobs.size() > mostJobs)
        jobs.resize(mostJobs);
    // Delayed jobs are kept with their scores before them.
    if (plan.script == "queue-promote" || plan.script == "queue-discard-delayed") {
        for (QByteArray& job : jobs)
            job = job.mid(job.indexOf(' ') + 1);
    }
    return jobs;
}

void askFor(std::vector<Command>& commands, const QByteArray& key, KeyType type,
            const QByteArray& job)
{
    const QByteArray most = QByteArray::number(reach);
    if (type == KeyType::List) {
        commands.push_back({"LPOS", key, job, "RANK", "-1", "MAXLEN", most});
        commands.push_back({"LPOS", key, job, "MAXLEN", most});
    } else if (type == KeyType::ZSet) {
        commands.push_back({"ZSCORE", key, job});
    }
}

size_t commandsFor(KeyType type)
{
    return type == KeyType::List ? 2 : type == KeyType::ZSet ? 1 : 0;
}

QString jobsText(size_t found, size_t all, const QString& key, bool whole)
{
    if (all == 1 && found == 1)
        return OutcomeCheckText::tr("the job is in %1").arg(key);
    if (all == 1)
        return whole ? OutcomeCheckText::tr("the job is not in %1").arg(key)
                     : OutcomeCheckText::tr("the job is not within %1 jobs of either end of %2")
                           .arg(QLocale().toString(reach), key);
    return OutcomeCheckText::tr("%1 of %2 jobs are in %3").arg(found).arg(all).arg(key);
}

QString leftText(std::optional<qint64> ttlMs)
{
    return ttlMs ? OutcomeCheckText::tr("TTL %1").arg(formatDuration(*ttlMs))
                 : OutcomeCheckText::tr("no TTL");
}

QString lockText(const State& state, const LockState& lock, const Plan& plan)
{
    const QString name = shownName(*state.primitive);
    const QString owner = displayPreview(lock.owner, 60);
    const bool same = std::find(plan.seen.begin(), plan.seen.end(), lock.owner) != plan.seen.end();
    switch (lock.phase) {
    case LockState::Phase::Free:
        return OutcomeCheckText::tr("%1 is free").arg(name);
    case LockState::Phase::Expired:
        return OutcomeCheckText::tr("%1 has expired").arg(name);
    case LockState::Phase::Held:
    case LockState::Phase::NoTtl:
        break;
    }
    const QString left =
        leftText(lock.phase == LockState::Phase::NoTtl ? std::nullopt : lock.leaseMs);
    if (!lock.ownerKnown)
        return OutcomeCheckText::tr("%1 is held, %2").arg(name, left);
    return same ? OutcomeCheckText::tr("%1 is still held by %2, %3").arg(name, owner, left)
                : OutcomeCheckText::tr("%1 is held by %2, %3").arg(name, owner, left);
}

// As the row of a snapshot says it.
QString stateText(const State& state, const Plan& plan)
{
    const QString name = shownName(*state.primitive);
    if (state.problem)
        return OutcomeCheckText::tr("%1 could not be read: %2")
            .arg(name, errorText(*state.problem));
    if (const auto* lock = state.as<LockState>())
        return lockText(state, *lock, plan);
    if (!state.present)
        return OutcomeCheckText::tr("%1 does not exist").arg(name);
    QStringList parts;
    for (const Column& column : columnsOf(*state.primitive)) {
        const bool isName = column.style == ColumnStyle::Name;
        const bool isLayout = qstrcmp(column.id, "layout") == 0;
        const QString text = isName || isLayout ? QString() : column.text(state);
        if (!text.isEmpty())
            parts << QStringLiteral("%1: %2").arg(title(column), text);
    }
    return QStringLiteral("%1 (%2)").arg(name, parts.join(QStringLiteral(", ")));
}

} // namespace

OutcomeCheck::OutcomeCheck(const ServerUrl& url, Plan plan, PrimitivePtr primitive,
                           const Clock& clock, QObject* parent)
    : QObject(parent)
    , m_plan(std::move(plan))
    , m_primitive(std::move(primitive))
    , m_clock(clock)
    , m_router(url, options())
    , m_patience(this)
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] { end(tl::unexpected(m_lostBy)); });
    connect(&m_router, &Router::mapChanged, this, &OutcomeCheck::readOnceReady);
    connect(&m_router, &Router::statusChanged, this, [this](const ConnectionStatus& status) {
        if (status.phase == ConnectionStatus::Phase::Ready) {
            readOnceReady();
        } else if (status.phase == ConnectionStatus::Phase::Lost) {
            m_lostBy = status.error;
            const bool followed = m_router.url().deployment == ServerUrl::Deployment::Sentinel ||
                                  m_router.followsCluster();
            if (m_reading || !followed)
                end(tl::unexpected(status.error));
        }
    });
}

void OutcomeCheck::start()
{
    m_patience.start();
    m_router.open();
}

// In a cluster, waits until the node of each key is available.
void OutcomeCheck::readOnceReady()
{
    if (m_reading || !m_router.isReady())
        return;
    for (const QByteArray& key : m_plan.keys) {
        const Link& node = m_router.nodeOf(key);
        if (!node.isReady()) {
            m_lostBy = node.status().error;
            return;
        }
    }
    m_reading = true;
    m_patience.stop();
    launch(readAgain(), [this](const Result<QString>& text) { end(text); });
}

Task<Result<QString>> OutcomeCheck::readAgain()
{
    const std::vector<QByteArray> jobs = jobsOf(m_plan);
    if (!jobs.empty() && mayTry(serverVersion(m_router.greeting()), Feature::ListPosition))
        return findJobs(jobs);
    return m_primitive ? readState() : readKeys();
}

Task<Result<QString>> OutcomeCheck::findJobs(std::vector<QByteArray> jobs)
{
    std::vector<Command> commands;
    for (const QByteArray& key : m_plan.keys) {
        commands.push_back({"TYPE", key});
        commands.push_back({"LLEN", key}); // of a sorted set it fails, which is no matter
    }
    const BatchResult kinds = co_await replies(m_router, commands, this);
    if (!kinds)
        co_return tl::unexpected<Error>(kinds.error());
    commands.clear();
    for (size_t k = 0; k < m_plan.keys.size(); ++k) {
        for (const QByteArray& job : jobs)
            askFor(commands, m_plan.keys[k], keyTypeFromName((*kinds)[2 * k].text), job);
    }
    if (commands.empty()) // no key is there: nothing to look through
        commands.push_back({"TYPE", m_plan.keys.front()});
    const BatchResult result = co_await replies(m_router, commands, this);
    if (!result)
        co_return tl::unexpected<Error>(result.error());
    QStringList parts;
    size_t at = 0;
    for (size_t k = 0; k < m_plan.keys.size(); ++k) {
        const Reply& type = (*kinds)[2 * k];
        const Reply& length = (*kinds)[2 * k + 1];
        if (type.isError())
            co_return tl::unexpected<Error>(errorFromReply(type.text));
        size_t found = 0;
        for (size_t j = 0; j < jobs.size(); ++j) {
            bool here = false;
            for (size_t c = commandsFor(keyTypeFromName(type.text)); c > 0; --c, ++at) {
                const Reply& reply = (*result)[at];
                if (reply.isError())
                    co_return tl::unexpected<Error>(errorFromReply(reply.text));
                here = here || !reply.isNil();
            }
            found += here;
        }
        const bool whole = !length.isInteger() || length.integer <= 2 * reach;
        parts << jobsText(found, jobs.size(), displayName(m_plan.redactedKey(m_plan.keys[k])),
                          whole);
    }
    co_return parts.join(QStringLiteral("; "));
}

Task<Result<QString>> OutcomeCheck::readState()
{
    ReadRequest request;
    request.primitive = m_primitive;
    request.depth = Depth::Detail;
    const ReadRound round = co_await Awaited<ReadRound>(
        [&](auto then) { readPrimitives(m_router, {request}, {}, m_clock, this, then); });
    if (round.error)
        co_return tl::unexpected<Error>(*round.error);
    co_return stateText(round.outcomes.front().state, m_plan);
}

Task<Result<QString>> OutcomeCheck::readKeys()
{
    std::vector<QByteArray> keys = m_plan.keys;
    if (keys.size() > mostKeys)
        keys.resize(mostKeys);
    std::vector<Command> commands;
    for (const QByteArray& key : keys) {
        commands.push_back({"TYPE", key});
        commands.push_back({"PTTL", key});
    }
    const BatchResult result = co_await replies(m_router, commands, this);
    if (!result)
        co_return tl::unexpected<Error>(result.error());
    QStringList parts;
    for (size_t i = 0; i < keys.size(); ++i) {
        const Reply& type = (*result)[2 * i];
        const Reply& ttl = (*result)[2 * i + 1];
        if (type.isError())
            co_return tl::unexpected<Error>(errorFromReply(type.text));
        const QString name = displayName(m_plan.redactedKey(keys[i]));
        const bool ends = ttl.isInteger() && ttl.integer >= 0;
        parts << (keyTypeFromName(type.text) == KeyType::None
                      ? OutcomeCheckText::tr("%1 does not exist").arg(name)
                      : OutcomeCheckText::tr("%1 exists (%2, %3)")
                            .arg(name, displayName(type.text),
                                 leftText(ends ? std::optional(ttl.integer) : std::nullopt)));
    }
    co_return parts.join(QStringLiteral("; "));
}

void OutcomeCheck::end(const Result<QString>& text)
{
    if (std::exchange(m_ended, true))
        return;
    m_router.disconnect(this);
    m_router.close();
    emit finished(text ? OutcomeSeen{true, *text}
                       : OutcomeSeen{false, OutcomeCheckText::tr("could not be read: %1")
                                                .arg(errorText(text.error()))});
}

} // namespace lk

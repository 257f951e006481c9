// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/benchdata.h"

#include <QDateTime>
#include <QUuid>

#include <algorithm>
#include <functional>

namespace lk::bench {

namespace {

constexpr size_t batch = 1000; // commands in one write

// A batch at a time: a million of them would weigh more than what is measured.
bool sendAll(test::RedisServer& server, int count,
             const std::function<void(std::vector<Command>&, int number)>& add)
{
    std::vector<Command> commands;
    for (int number = 0; number < count; ++number) {
        add(commands, number);
        if (commands.size() < batch && number + 1 < count)
            continue;
        const auto replies = server.runAll(commands);
        if (std::any_of(replies.begin(), replies.end(), [](const Reply& r) { return r.isError(); }))
            return false;
        commands.clear();
    }
    return true;
}

QByteArray infoLine(test::RedisServer& server, const QByteArray& section, const QByteArray& name)
{
    const QByteArray text = '\n' + server.run({"INFO", section}).text;
    const qsizetype at = text.indexOf('\n' + name + ':');
    return at < 0 ? QByteArray()
                  : text.mid(at + name.size() + 2, text.indexOf('\r', at) - at - name.size() - 2);
}

} // namespace

QByteArray limiterName(int number)
{
    return "rl:user:" + QByteArray::number(number);
}

Command limiterMarks(int number, qint64 nowMs)
{
    Command command{"ZADD", limiterName(number)};
    for (int mark = 4; mark >= 0; --mark) {
        const QByteArray at = QByteArray::number(nowMs - mark * 200 - number % 190);
        command << at << at;
    }
    return command;
}

bool fillLimiters(test::RedisServer& server, int count)
{
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    return sendAll(server, count, [nowMs](std::vector<Command>& commands, int i) {
        commands.push_back(limiterMarks(i, nowMs));
    });
}

bool fillSort(test::RedisServer& server, KeySort sort, int count)
{
    const QByteArray now = QByteArray::number(QDateTime::currentMSecsSinceEpoch());
    return sendAll(server, count, [&](std::vector<Command>& commands, int i) {
        const QByteArray n = QByteArray::number(i);
        if (sort == KeySort::Lock)
            commands.push_back({"SET", "lock:order:" + n,
                                QUuid::createUuid().toByteArray(QUuid::WithoutBraces), "PX",
                                "86400000"});
        else if (sort == KeySort::TokenBucket)
            commands.push_back({"HSET", "bucket:user:" + n, "tokens", "4.5", "last_refill", now,
                                "capacity", "10"});
        else if (sort == KeySort::CachedString)
            commands.push_back({"SET", "cache:page:" + n,
                                "{\"id\":" + n + ",\"body\":\"Lorem ipsum dolor sit amet\"}", "EX",
                                "86400"});
        else
            commands.push_back({"HSET", "user:" + n, "name", "Anna " + n, "email",
                                "u" + n + "@example.com", "city", "Ulm", "visits", n});
    });
}

bool fillOthers(test::RedisServer& server, int count)
{
    return sendAll(server, count, [](std::vector<Command>& commands, int i) {
        const QByteArray n = QByteArray::number(i);
        commands.push_back({"SET", "lock:order:" + n, "owner-" + n, "PX", "3600000"});
        const QByteArray code =
            "a" + QByteArray::number(0x9e3779b9'7f4a7c15ULL * quint64(i + 1), 16);
        commands.push_back({"SET", "code:" + code, "{\"user\":" + n + "}", "PX", "3600000"});
        commands.push_back({"RPUSH", "jobs:" + n, "a", "b", "c"});
        commands.push_back({"RPUSH", "jobs:" + n + ":processing", "d"});
    });
}

double infoNumber(test::RedisServer& server, const QByteArray& section, const QByteArray& name)
{
    return infoLine(server, section, name).toDouble();
}

QString redisVersion(test::RedisServer& server)
{
    return QString::fromLatin1(infoLine(server, "server", "redis_version"));
}

} // namespace lk::bench

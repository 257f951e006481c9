// SPDX-License-Identifier: GPL-3.0-or-later
// bench_recipes RESULTS.json [ROUNDS]
// The recipes beside the documents' scripts, in turns on one private server: microseconds that the
// server needs for a call, of its own count (INFO commandstats), so that neither the network nor
// this program is in them. A call is looked at in slices of fifty: what the machine does in between
// spoils few of these, and the median leaves them out.
#include "backend/demo/clients/recipe.h"
#include "tests/bench/benchdata.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/documentscripts.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <functional>
#include <optional>

using namespace lk;
using namespace lk::bench;

namespace {

constexpr int calls = 1000;
constexpr int slice = 50;
constexpr double mostWithExtras = 1.3;
constexpr double mostAlike = 1.05; // the same work: what is left is the spread of the measurement

using Commands = std::vector<Command>;
using Keys = std::vector<QByteArray>;

QByteArray text(qint64 number)
{
    return QByteArray::number(number);
}

QByteArray now(qint64 laterMs = 0)
{
    return text(QDateTime::currentMSecsSinceEpoch() + laterMs);
}

/// One of the two that are compared.
struct Side
{
    std::function<Commands(test::RedisServer&)> prepare; ///< fills an empty server: what to send
    QByteArrayList counted;                              ///< commands whose time it is
    int commandsACall = 1;
};

struct Case
{
    QString name;
    Side theirs;
    Side ours;
    double atMost = mostWithExtras;
    /// A script that sends the commands of ours that cannot be spared, and does nothing else: where
    /// even that takes longer than the goal, no script reaches it.
    std::optional<Side> floor = {};
    std::vector<double> theirUs = {};
    std::vector<double> ourUs = {};
    std::vector<double> floorUs = {};
};

/// A script by its SHA, as clients send it.
class Call
{
public:
    Call(test::RedisServer& server, const QByteArray& source)
        : m_script(source)
    {
        server.run({"SCRIPT", "LOAD", source});
    }
    Command operator()(const Keys& keys, const Keys& args) const
    {
        return m_script.evalSha(keys, args);
    }

private:
    Script m_script;
};

QByteArray recipe(const char* name)
{
    const auto known = Recipe::fromResource(name);
    return known && known->script() ? known->script()->source() : QByteArray();
}

double measuredUs(test::RedisServer& server, const QByteArrayList& counted)
{
    double us = 0;
    const QByteArray all = server.run({"INFO", "commandstats"}).text;
    for (const QByteArray& line : all.split('\n')) {
        const qsizetype at = line.indexOf(",usec=");
        for (const QByteArray& name : counted) {
            if (at > 0 && line.startsWith("cmdstat_" + name + ':'))
                us += line.mid(at + 6, line.indexOf(',', at + 1) - at - 6).toDouble();
        }
    }
    return us;
}

bool measure(test::RedisServer& server, const Side& side, std::vector<double>& samples)
{
    server.flush();
    const Commands all = side.prepare(server);
    const auto step = size_t(slice * side.commandsACall);
    for (size_t from = 0; from + step <= all.size(); from += step) {
        const auto first = all.begin() + ptrdiff_t(from);
        server.run({"CONFIG", "RESETSTAT"});
        const auto replies = server.runAll({first, first + ptrdiff_t(step)});
        if (std::any_of(replies.begin(), replies.end(), [](const Reply& r) { return r.isError(); }))
            return false;
        samples.push_back(measuredUs(server, side.counted) / slice);
    }
    return true;
}

Side script(std::function<Commands(test::RedisServer&)> prepare)
{
    return {std::move(prepare), {"evalsha"}};
}

// Limiters with half of their permits taken; so many calls take the others. Or one that has none.
Side redisson(const QByteArray& source, bool ours, int limit, bool full)
{
    return script([=](test::RedisServer& server) {
        const Call call(server, source);
        int number = 0;
        const auto acquire = [&](int limiter) {
            const QByteArray n = "m" + text(limiter);
            const Keys keys{n, '{' + n + "}:value", '{' + n + "}:value:c", '{' + n + "}:permits",
                            '{' + n + "}:permits:c"};
            const QByteArray random = text(++number);
            return ours ? call(keys, {"1", random.rightJustified(16, '0')})
                        : call(keys, {"1", now(), random});
        };
        const int taken = full ? limit : limit / 2;
        const int each = full ? calls : limit - taken;
        Commands all;
        for (int limiter = 0; int(all.size()) < calls; ++limiter) {
            server.run({"HSET", "m" + text(limiter), "rate", text(limit), "interval", "3600000",
                        "type", "0"});
            for (int i = 0; i < taken; ++i)
                server.run(acquire(limiter));
            for (int i = 0; i < each && int(all.size()) < calls; ++i)
                all.push_back(acquire(limiter));
        }
        return all;
    });
}

// Five in a second. Accepted: 200 limiters in turns. Refused: one that is full for a while.
Side window(const QByteArray& source, bool ours, bool retry, bool full)
{
    return script([=](test::RedisServer& server) {
        const Call call(server, source);
        const auto ask = [&](int limiter, qint64 laterMs) {
            const QByteArray n = text(limiter);
            const Keys keys = retry ? Keys{"w" + n, "r" + n} : Keys{"w" + n};
            if (!ours)
                return call(keys, {now(laterMs)});
            const QByteArray length =
                full ? QByteArrayLiteral("600000") : QByteArrayLiteral("1000");
            return call(keys, retry ? Keys{"5", length, "3600000"} : Keys{"5", length});
        };
        // Theirs lasts a second whatever is asked: its clock is the caller's, and stands still.
        const qint64 aheadMs = 600'000;
        for (int i = 0; full && i < 5; ++i)
            server.run(ask(0, aheadMs + i));
        Commands all;
        for (int i = 0; i < calls; ++i)
            all.push_back(full ? ask(0, aheadMs) : ask(i % 200, i / 200));
        return all;
    });
}

enum class Room : quint8 { Free, ResourceFull, ConsumerFull };

Side resource(const QByteArray& source, Room room)
{
    return script([=](test::RedisServer& server) {
        const Call call(server, source);
        const auto use = [&](const QByteArray& name, int consumer) {
            return call({name, name + ":consumer:" + text(consumer)}, {"1000", "5", "3"});
        };
        const int before = room == Room::ResourceFull ? 5 : room == Room::ConsumerFull ? 3 : 0;
        for (int i = 0; i < before; ++i)
            server.run(use("{z}", room == Room::ResourceFull ? i : 0));
        Commands all;
        for (int i = 0; i < calls; ++i)
            all.push_back(room == Room::Free ? use("{z" + text(i % 334) + '}', 0) : use("{z}", 0));
        return all;
    });
}

Side fixedWindow(const QByteArray& source, const Keys& args)
{
    return script([=](test::RedisServer& server) {
        const Call call(server, source);
        return Commands(calls, call({"k"}, args));
    });
}

Side release(const QByteArray& source)
{
    return script([=](test::RedisServer& server) {
        const Call call(server, source);
        Commands all;
        for (int i = 0; i < calls; ++i) {
            server.run({"SET", "l" + text(i), "ef1f63c"});
            all.push_back(call({"l" + text(i)}, {"ef1f63c"}));
        }
        return all;
    });
}

// One counter without a script, as the header of fixed-window.lua describes.
Side countedInMulti()
{
    return {[](test::RedisServer&) {
                Commands all;
                for (int i = 0; i < calls; ++i)
                    all.insert(all.end(),
                               {Command{"MULTI"}, Command{"SET", "k", "0", "PX", "600000", "NX"},
                                Command{"INCR", "k"}, Command{"PTTL", "k"}, Command{"EXEC"}});
                return all;
            },
            {"multi", "exec"},
            5};
}

// Each on a key of its own, which "fill" makes.
Side plain(QByteArrayList counted, std::function<Command(const QByteArray&)> fill,
           std::function<Commands(const QByteArray&)> sent, int commandsACall = 1)
{
    return {[=](test::RedisServer& server) {
                Commands all;
                for (int i = 0; i < calls; ++i) {
                    const QByteArray key = "k" + text(i);
                    if (fill)
                        server.run(fill(key));
                    for (Command& command : sent(key))
                        all.push_back(std::move(command));
                }
                return all;
            },
            std::move(counted), commandsACall};
}

std::function<Commands(const QByteArray&)> plainRecipe(const char* name, const Keys& args)
{
    return [=](const QByteArray& key) {
        return Commands{Recipe::fromResource(name)->command({key}, args)};
    };
}

Commands inMulti(const Command& first, const Command& second)
{
    return {Command{"MULTI"}, first, second, Command{"EXEC"}};
}

std::vector<Case> scripts()
{
    std::vector<Case> all;
    const QByteArray acquire = recipe("redisson-rate-limiter-acquire");
    for (const int limit : {5, 100, 2000})
        all.push_back({QStringLiteral("Redisson acquire at %1").arg(limit),
                       redisson(redissonAcquire(), false, limit, false),
                       redisson(acquire, true, limit, false)});
    for (const int limit : {5, 2000})
        all.push_back({QStringLiteral("Redisson refused at %1").arg(limit),
                       redisson(redissonAcquire(), false, limit, true),
                       redisson(acquire, true, limit, true)});
    for (const bool retry : {false, true}) {
        const QByteArray theirs = retry ? talkRetry("5") : talkWindow("5");
        const QByteArray ours = recipe(retry ? "rolling-window-retry" : "rolling-window");
        for (const bool full : {false, true})
            all.push_back({QStringLiteral("%1 window %2")
                               .arg(retry ? QStringLiteral("future") : QStringLiteral("rolling"),
                                    full ? QStringLiteral("refused") : QStringLiteral("accepted")),
                           window(theirs, false, retry, full), window(ours, true, retry, full)});
    }
    const QByteArray shared = recipe("resource-consumer");
    const auto addRoom = [&](const char* name, Room room) {
        all.push_back({QString::fromLatin1(name), resource(resourceConsumers(), room),
                       resource(shared, room)});
    };
    addRoom("resource and consumer pass", Room::Free);
    addRoom("resource full", Room::ResourceFull);
    addRoom("consumer full", Room::ConsumerFull);
    all.push_back({QStringLiteral("fixed window accepted"), fixedWindow(blogWindow(), {"600000"}),
                   fixedWindow(recipe("fixed-window"), {"100000", "600000"})});
    all.push_back({QStringLiteral("fixed window refused"), fixedWindow(blogWindow(), {"600000"}),
                   fixedWindow(recipe("fixed-window"), {"1", "600000"}), mostWithExtras,
                   fixedWindow("redis.call('INCR', KEYS[1]) return redis.call('PTTL', KEYS[1])",
                               {"1", "600000"})});
    all.push_back({QStringLiteral("fixed window refused, in MULTI"),
                   fixedWindow(blogWindow(), {"600000"}), countedInMulti()});
    all.push_back({QStringLiteral("lock release"), release(talkRelease()),
                   release(recipe("lock-release")), mostAlike});
    return all;
}

std::vector<Case> plainCommands()
{
    std::vector<Case> all;
    all.push_back({QStringLiteral("lock acquire"),
                   plain({"set"}, {},
                         [](const QByteArray& key) {
                             return Commands{{"SET", key, "ef1f63c", "NX", "PX", "10000"}};
                         }),
                   plain({"set"}, {}, plainRecipe("lock-acquire", {"ef1f63c", "10000"})),
                   mostAlike});
    const auto code = [](const QByteArray& key) {
        return Command{"SET", key, "{\"act_id\":1234}"};
    };
    all.push_back({QStringLiteral("string token"),
                   plain(
                       {"multi", "exec"}, code,
                       [](const QByteArray& key) {
                           return inMulti({"GET", key}, {"DEL", key});
                       },
                       4),
                   plain({"getdel"}, code, plainRecipe("string-token-redeem", {})), mostAlike});
    const auto counted = [](const QByteArray& key) {
        return Command{"HSET", key, "user_id", "17", "scope", "spawn_vm", "used_by", "0"};
    };
    const Side theirs = plain(
        {"multi", "exec"}, counted,
        [](const QByteArray& key) {
            return inMulti({"HGETALL", key}, {"HINCRBY", key, "used_by", "1"});
        },
        4);
    const auto redeeming = [=](const QByteArray& source) {
        return script([=](test::RedisServer& server) {
            const Call call(server, source);
            Commands redeem;
            for (int i = 0; i < calls; ++i) {
                server.run(counted("k" + text(i)));
                redeem.push_back(call({"k" + text(i)}, {}));
            }
            return redeem;
        });
    };
    all.push_back({QStringLiteral("hash token"), theirs, redeeming(recipe("hash-token-redeem")),
                   mostWithExtras,
                   redeeming("redis.call('HINCRBY', KEYS[1], 'used_by', '1') "
                             "return redis.call('HGETALL', KEYS[1])")});
    const Side watched = plain(
        {"watch", "hgetall", "multi", "exec"}, counted,
        [](const QByteArray& key) {
            return Commands{{"WATCH", key},
                            {"HGETALL", key},
                            {"MULTI"},
                            {"HINCRBY", key, "used_by", "1"},
                            {"EXEC"}};
        },
        5);
    all.push_back({QStringLiteral("hash token, watched"), theirs, watched});
    return all;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.size() < 2)
        return 2;
    const int rounds = std::max(1, arguments.value(2, QStringLiteral("7")).toInt());
    test::RedisServer server;
    if (!server.start()) {
        std::fprintf(stderr, "No server: %s\n", server.output());
        return 1;
    }
    std::printf("Recipes beside the documents' scripts, %d rounds of %d calls\n", rounds, calls);
    Report report(arguments[1], QStringLiteral("recipes"));
    std::vector<Case> cases = scripts();
    for (Case& one : plainCommands())
        cases.push_back(std::move(one));
    bool ok = true;
    for (int round = 0; round < rounds; ++round) {
        for (Case& one : cases)
            ok = measure(server, one.theirs, one.theirUs) &&
                 (!one.floor || measure(server, *one.floor, one.floorUs)) &&
                 measure(server, one.ours, one.ourUs) && ok;
    }
    for (const Case& one : cases) {
        std::vector<std::pair<QString, double>> values{
            {QStringLiteral("theirs"), median(one.theirUs)},
            {QStringLiteral("ours"), median(one.ourUs)},
            {QStringLiteral("their min"), percentile(one.theirUs, 0)},
            {QStringLiteral("our min"), percentile(one.ourUs, 0)}};
        if (one.floor)
            values.emplace_back(QStringLiteral("floor"), median(one.floorUs));
        report.row(one.name, QStringLiteral("us"), values);
    }
    for (const Case& one : cases) {
        report.atMost(one.name, median(one.ourUs) / median(one.theirUs), one.atMost,
                      QStringLiteral("of theirs"));
        if (one.floor)
            report.note(QStringLiteral("%1: a script of its commands alone takes %2 of theirs")
                            .arg(one.name)
                            .arg(median(one.floorUs) / median(one.theirUs), 0, 'f', 2));
    }
    return report.save(redisVersion(server)) && ok ? 0 : 1;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/clients/clients.h"

#include <array>

namespace lk {

namespace {

constexpr int ordinaryKeysPages = 90;
constexpr int ordinaryKeysUsers = 60;
constexpr std::array players{"parzival", "art3mis", "aech", "daito", "shoto"};
constexpr std::array cities{"Berlin", "Gdansk", "Kyoto", "Lisbon", "Montreal", "Utrecht"};

// Ordinary keys that have nothing to do with coordination: pages, profiles, a stream, a set, a
// leaderboard. No layout should claim them.
class OrdinaryKeys final : public DemoClient
{
public:
    OrdinaryKeys(ServerUrl url, quint32 seed)
        : DemoClient(std::move(url), QByteArrayLiteral("demo-site"), seed)
    {}

private:
    void begin() override
    {
        std::vector<Command> commands;
        for (int i = 1; i <= ordinaryKeysPages; ++i)
            commands.push_back(page(i));
        for (int i = 1; i <= ordinaryKeysUsers; ++i)
            commands.push_back(profile(i));
        for (const char* player : players)
            commands.push_back({"ZADD", "leaderboard", text(between(1000, 90'000)), player});
        for (const char* city : cities)
            commands.push_back({"SADD", "cities", city});
        for (int i = 0; i < 20; ++i)
            commands.push_back(visit());
        send(std::move(commands));

        every(1000, 3000, [this] { send({page(between(1, ordinaryKeysPages)), visit()}); });
        every(2000, 5000, [this] {
            send({{"ZINCRBY", "leaderboard", text(between(10, 900)), oneOf(players)},
                  profile(between(1, ordinaryKeysUsers))});
        });
    }

    Command page(int number)
    {
        return {"SET", "cache:page:/articles/" + text(number),
                "<!doctype html><title>Article " + text(number) + "</title><p>" +
                    hex(between(40, 400)) + "</p>",
                "EX", "3600"};
    }

    Command profile(int user)
    {
        return {"HSET",  "user:" + text(user) + ":profile",
                "name",  "User " + text(user),
                "city",  oneOf(cities),
                "theme", oneIn(3) ? "dark" : "light"};
    }

    Command visit()
    {
        return {"XADD",   "visits",
                "MAXLEN", "~",
                "200",    "*",
                "path",   "/articles/" + text(between(1, ordinaryKeysPages)),
                "status", oneIn(20) ? "404" : "200"};
    }
};

} // namespace

std::unique_ptr<DemoClient> makeOrdinaryKeys(const ServerUrl& url, quint32 seed)
{
    return std::make_unique<OrdinaryKeys>(url, seed);
}

} // namespace lk

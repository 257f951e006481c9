// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/recipe.h"
#include "tests/support/redisserver.h"

#include <QTest>

namespace lk {

/// Runs the recipes against a private server, one blocking call at a time.
class RecipeRunner
{
public:
    bool start() { return m_server.start(); }

    Reply command(const Command& command) { return m_server.run(command); }

    /// For further clients.
    QString socketPath() const { return m_server.socketPath(); }

    /// Runs a recipe of lua/recipes.
    Reply run(const char* recipe, const std::vector<QByteArray>& keys,
              const std::vector<QByteArray>& args = {})
    {
        return command(call(recipe, keys, args));
    }

    /// The command that runs it.
    static Command call(const char* recipe, const std::vector<QByteArray>& keys,
                        const std::vector<QByteArray>& args = {})
    {
        const auto known = Recipe::fromResource(recipe);
        if (!known)
            qFatal("no recipe of that name");
        return known->command(keys, args);
    }

    qint64 number(const Command& asked) { return command(asked).integer; }
    qint64 pttl(const QByteArray& key) { return number({"PTTL", key}); }
    bool exists(const QByteArray& key) { return number({"EXISTS", key}) == 1; }

    /// The elements of an array reply.
    std::vector<QByteArray> list(const Command& asked)
    {
        std::vector<QByteArray> texts;
        for (const Reply& item : command(asked).items)
            texts.push_back(item.text);
        return texts;
    }

    /// Takes the TTL off, so that injected time is the only time there is.
    void hold(const std::vector<QByteArray>& keys)
    {
        for (const QByteArray& key : keys)
            command({"PERSIST", key});
    }

    void clear() { m_server.flush(); }

private:
    test::RedisServer m_server;
};

inline bool isWrongType(const Reply& reply)
{
    return reply.isError() && reply.text.contains("WRONGTYPE");
}

using Texts = std::vector<QByteArray>;

} // namespace lk

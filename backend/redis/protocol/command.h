// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QString>

#include <initializer_list>
#include <utility>
#include <vector>

namespace lk {

/// One command: its name and arguments, binary-safe.
class Command
{
public:
    Command() = default;
    Command(std::initializer_list<QByteArray> args)
        : m_args(args)
    {}
    explicit Command(std::vector<QByteArray> args)
        : m_args(std::move(args))
    {}

    const std::vector<QByteArray>& args() const { return m_args; }
    bool isEmpty() const { return m_args.empty(); }
    Command& operator<<(QByteArray arg)
    {
        m_args.push_back(std::move(arg));
        return *this;
    }

    bool operator==(const Command&) const = default;

    /// For people and logs: arguments escaped and quoted where needed, those of AUTH and HELLO
    /// replaced by three stars, each cut at 120 characters.
    QString display() const;

private:
    std::vector<QByteArray> m_args;
};

/// Returns a list of these commands in their order. Moves them, where a braced list would copy
/// them.
template<typename... Commands> std::vector<Command> commandsOf(Commands&&... commands)
{
    std::vector<Command> all;
    all.reserve(sizeof...(commands));
    (all.push_back(std::forward<Commands>(commands)), ...);
    return all;
}

/// True if the command only reads: it is on the list of commands that this console sends while
/// its session is read-only. Everything not on the list is a write.
bool isReadOnly(const Command& command);
/// True if each of them only reads.
bool areReadOnly(const std::vector<Command>& commands);

} // namespace lk

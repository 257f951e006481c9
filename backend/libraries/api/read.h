// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"

#include <coroutine>
#include <exception>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace lk {

/// The suspended part of a Read: what it asks, and who awaits it.
struct ReadStep
{
    std::vector<Command> commands;  ///< of the question that it awaits
    std::span<const Reply> replies; ///< the answer, while the read goes on
    std::coroutine_handle<> self;
    ReadStep* parent = nullptr; ///< the read that awaits this one
    ReadStep* leaf = this;      ///< of the outermost: the innermost, which has the question

    /// Makes this the innermost of all reads that await it.
    void becomeLeaf()
    {
        ReadStep* outermost = this;
        while (outermost->parent)
            outermost = outermost->parent;
        outermost->leaf = this;
    }
};

/// A read of the server as a coroutine: it asks commands, gets their replies, asks further commands
/// that follow from these, and returns a T. It only says what it asks; its owner sends it. It runs
/// up to its first question when it is called. Whatever its parameters refer to must outlive it.
///
///     Read<qint64> sizeOfAll(QByteArray set)
///     {
///         std::vector<Command> members{{"SMEMBERS", set}};
///         std::vector<Command> sizes;
///         for (const Reply& key : (co_await ask(std::move(members))).front().items)
///             sizes.push_back({"STRLEN", key.text});
///         qint64 sum = 0;
///         for (const Reply& size : co_await ask(std::move(sizes)))
///             sum += size.integer;
///         co_return sum;
///     }
///
/// GCC 12 cannot compile a braced list within an expression that has a co_await, and destroys the
/// temporary objects of a conditional operator within one twice.
template<typename T> class [[nodiscard]] Read
{
public:
    /// Required of a coroutine by the language.
    struct promise_type : ReadStep
    {
        std::optional<T> result;

        // Goes on with the read that awaits this one.
        struct End
        {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> end) noexcept
            {
                ReadStep* parent = end.promise().parent;
                if (!parent)
                    return std::noop_coroutine();
                parent->becomeLeaf();
                return parent->self;
            }
            void await_resume() noexcept {}
        };

        Read get_return_object()
        {
            const auto handle = std::coroutine_handle<promise_type>::from_promise(*this);
            self = handle;
            return Read(handle);
        }
        std::suspend_never initial_suspend() noexcept { return {}; }
        End final_suspend() noexcept { return {}; }
        void return_value(T value) { result.emplace(std::move(value)); }
        void unhandled_exception() { std::terminate(); }
    };

    Read(Read&& other) noexcept
        : m_handle(std::exchange(other.m_handle, {}))
    {}
    Read& operator=(Read&& other) noexcept
    {
        std::swap(m_handle, other.m_handle);
        return *this;
    }
    ~Read()
    {
        if (m_handle)
            m_handle.destroy();
    }

    /// True if it asks nothing more.
    bool isDone() const { return m_handle.done(); }
    /// The commands that it asks now. Empty once it is done.
    const std::vector<Command>& commands() const { return m_handle.promise().leaf->commands; }
    /// Takes the replies to commands(), one for each, and goes on. They need not outlive the call.
    void next(std::span<const Reply> replies)
    {
        ReadStep& step = *m_handle.promise().leaf;
        step.commands.clear();
        step.replies = replies;
        step.self.resume();
    }
    /// The result. Call it once, when it is done.
    T take() { return std::move(*m_handle.promise().result); }

    // A read may await another one.
    bool await_ready() const { return isDone(); }
    template<typename Promise> void await_suspend(std::coroutine_handle<Promise> parent)
    {
        ReadStep* innermost = m_handle.promise().leaf;
        m_handle.promise().parent = &parent.promise();
        innermost->becomeLeaf();
    }
    T await_resume() { return take(); }

private:
    explicit Read(std::coroutine_handle<promise_type> handle)
        : m_handle(handle)
    {}

    std::coroutine_handle<promise_type> m_handle;
};

/// The question of a Read: see ask() and askLast().
template<typename Replies> class Question
{
public:
    explicit Question(std::vector<Command> commands)
        : m_commands(std::move(commands))
    {}

    bool await_ready() const { return m_commands.empty(); }
    template<typename Promise> void await_suspend(std::coroutine_handle<Promise> read)
    {
        m_step = &read.promise();
        m_step->commands = std::move(m_commands);
    }
    Replies await_resume() const
    {
        return m_step ? Replies(m_step->replies.begin(), m_step->replies.end()) : Replies();
    }

private:
    std::vector<Command> m_commands;
    ReadStep* m_step = nullptr;
};

/// Awaits the replies to these commands, one for each. Does not wait if there are none.
inline Question<std::vector<Reply>> ask(std::vector<Command> commands)
{
    return Question<std::vector<Reply>>(std::move(commands));
}

/// As ask(), without copying the replies: they are gone with the next question.
inline Question<std::span<const Reply>> askLast(std::vector<Command> commands)
{
    return Question<std::span<const Reply>>(std::move(commands));
}

/// The replies to these commands, as a read of its own.
inline Read<std::vector<Reply>> replied(std::vector<Command> commands)
{
    std::vector<Reply> replies = co_await ask(std::move(commands));
    co_return replies;
}

/// Runs several reads side by side, their questions in one step, and returns all of their results.
template<typename... T> Read<std::tuple<T...>> together(Read<T>... reads)
{
    const auto isDone = [&] { return (reads.isDone() && ...); };
    while (!isDone()) {
        std::vector<Command> commands;
        (commands.insert(commands.end(), reads.commands().begin(), reads.commands().end()), ...);
        std::span<const Reply> replies = co_await askLast(std::move(commands));
        const auto answer = [&](auto& read) {
            const size_t asked = read.commands().size();
            if (!read.isDone())
                read.next(replies.first(asked));
            replies = replies.subspan(asked);
        };
        (answer(reads), ...);
    }
    co_return std::tuple<T...>(reads.take()...);
}

} // namespace lk

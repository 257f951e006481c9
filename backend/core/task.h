// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

// GCC warns where a source is part of another, as in unity builds: a task's frame, which only the
// task's own source uses, contains types that only this source has.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

namespace lk {

namespace task {

/// The part of a task's frame that keeps what the task returns.
template<typename T> struct Returned
{
    std::optional<T> value;
    void return_value(T result) { value.emplace(std::move(result)); }
    T take() { return std::move(*value); }
};

/// Returns nothing.
template<> struct Returned<void>
{
    void return_void() {}
    void take() {}
};

/// Goes on with the task that awaits the ended one. Without one, see launch(), deletes the frame.
struct Ended : std::suspend_always
{
    template<typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) noexcept
    {
        if (ended.promise().awaiting)
            return ended.promise().awaiting;
        ended.destroy();
        return std::noop_coroutine();
    }
};

} // namespace task

/// A function that waits for replies between its steps and is written from top to bottom:
///     Task<Result<bool>> isThere(Link& link, QByteArray key, QObject* context)
///     {
///         const Command exists{"EXISTS", key};
///         const BatchResult result = co_await replies(link, exists, context);
///         if (!result)
///             co_return tl::unexpected<Error>(result.error());
///         co_return result->front().integer == 1;
///     }
/// It begins when another task awaits it, or by launch(). All of it runs in one thread, whose event
/// loop brings the replies. A task that waits belongs to the handler that continues it: see
/// Awaited. If the context of that step is destroyed, the handler is dropped, and with it this task
/// and all that await it; no step follows. So the context must not outlive what the task uses.
/// Parameters are values, or references to what outlives the task. Awaits are statements of their
/// own, and their arguments have no braces: GCC 12 destroys such temporaries twice. Nothing throws.
template<typename T = void> class [[nodiscard]] Task
{
public:
    /// Required by the language.
    struct promise_type : task::Returned<T>
    {
        std::coroutine_handle<> awaiting;  ///< the task that goes on after this one
        std::coroutine_handle<> outermost; ///< owns this one and all that await it
        Task get_return_object() { return Task(Frame::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        task::Ended final_suspend() noexcept { return {}; }
        void unhandled_exception() { std::terminate(); }
    };
    using Frame = std::coroutine_handle<promise_type>;

    explicit Task(Frame frame)
        : m_frame(frame)
    {}
    Task(Task&& other) noexcept
        : m_frame(std::exchange(other.m_frame, {}))
    {}
    ~Task()
    {
        if (m_frame)
            m_frame.destroy();
    }

    bool await_ready() const noexcept { return false; }
    template<typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> awaiting) noexcept
    {
        m_frame.promise().awaiting = awaiting;
        m_frame.promise().outermost = awaiting.promise().outermost;
        return m_frame;
    }
    T await_resume() { return m_frame.promise().take(); }

    /// See launch().
    void start() &&
    {
        const Frame frame = std::exchange(m_frame, {});
        frame.promise().outermost = frame;
        frame.resume();
    }

private:
    Frame m_frame;
};

/// Begins a task that no other one awaits. It runs at once up to its first wait.
inline void launch(Task<> task)
{
    std::move(task).start();
}

template<typename T, typename Handler> Task<> handled(Task<T> task, Handler handler)
{
    T result = co_await std::move(task);
    handler(std::move(result));
}

/// The same; calls the handler with what the task returns.
template<typename T, typename Handler> void launch(Task<T> task, Handler handler)
{
    launch(handled(std::move(task), std::move(handler)));
}

/// Awaits a call that answers through a handler, which it calls once or drops:
///     const auto round = co_await Awaited<ReadRound>(
///         [&](auto then) { readPrimitives(link, requests, clock, local, context, then); });
template<typename T> class Awaited
{
public:
    template<typename Call>
    explicit Awaited(Call call)
        : m_call(std::move(call))
    {}
    Awaited(const Awaited&) = delete;
    Awaited& operator=(const Awaited&) = delete;

    bool await_ready() const noexcept { return false; }
    template<typename Promise> void await_suspend(std::coroutine_handle<Promise> awaiting)
    {
        const auto owner = std::make_shared<Owner>(awaiting.promise().outermost.address(), destroy);
        const auto call = std::move(m_call); // this may be gone when it returns
        call([this, awaiting, owner](T value) {
            m_value.emplace(std::move(value));
            owner->release();
            awaiting.resume();
        });
    }
    T await_resume() { return std::move(*m_value); }

private:
    using Owner = std::unique_ptr<void, void (*)(void*)>;
    static void destroy(void* frame) { std::coroutine_handle<>::from_address(frame).destroy(); }

    std::function<void(std::function<void(T)>)> m_call;
    std::optional<T> m_value;
};

/// The answer to a wait for a moment.
struct Passed
{};

/// Awaits the next turn of the context's event loop.
inline Awaited<Passed> nextTurn(QObject* context)
{
    return Awaited<Passed>([context](auto then) {
        QMetaObject::invokeMethod(
            context, [then] { then({}); }, Qt::QueuedConnection);
    });
}

inline Awaited<Passed> pauseFor(int ms, QObject* context)
{
    return Awaited<Passed>(
        [ms, context](auto then) { QTimer::singleShot(ms, context, [then] { then({}); }); });
}

} // namespace lk

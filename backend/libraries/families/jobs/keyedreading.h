// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/jobs/keyedqueue.h"

namespace lk {

/// One read of a KeyedQueue. Await run(), then take the results.
class KeyedReading
{
public:
    /// The subject of the read: a page of a state's jobs (page), one job (state and id), or the
    /// queue's state (neither).
    struct Want
    {
        const JobQuery* page = nullptr;
        QByteArray state = {};            ///< the state of the job
        QByteArray id = {};               ///< the id of the job
        bool detail = false;              ///< for the queue's state: reads failed jobs, too
        bool ended = false;               ///< with detail: reads jobs that ended well, too
        const JobSample* known = nullptr; ///< ended jobs that need not be read again
    };

    /// A job that was read, and its key.
    struct Entry
    {
        size_t key = 0; ///< index into keys()
        JobRead read;
    };

    /// context: of the read of a state; null: the server's time is read as well.
    KeyedReading(const KeyedQueue& queue, const Primitive& primitive, Want want,
                 const ReadContext* context);
    KeyedReading(const KeyedReading&) = delete;
    KeyedReading& operator=(const KeyedReading&) = delete;

    Read<bool> run();

    const QueueSetting& setting() const { return m_setting; }
    const std::vector<JobsKey>& keys() const { return m_keys; }
    /// How many jobs the key holds; empty if unknown.
    std::optional<qint64> count(size_t key) const { return m_counts[key]; }
    /// True if all jobs of the key were read.
    bool isWhole(size_t key) const;
    const std::vector<Entry>& entries() const { return m_entries; }
    /// All listed jobs that ended well, known or not, latest first.
    const std::vector<QByteArray>& ended() const { return m_ended; }
    qint64 bytes() const { return m_bytes; }

private:
    void takeSetting(bool asksTime);
    std::vector<Command> countCommands() const;
    void takeCounts();
    std::vector<Command> pageCommands();
    void takePages(std::span<const Reply> replies);
    std::vector<Command> jobCommands();
    void takeJobs();
    std::vector<Command> furtherCommands();
    void takeFurther();
    void dropEnded(std::span<const Reply> pages);
    std::vector<Command> valueCommands();
    void addEntry(size_t key, QByteArray element, std::optional<double> score);
    qint64 wanted(size_t key) const;
    JobQuery queryOf(size_t key) const;
    bool isElementTheJob(const JobsKey& key) const;

    const KeyedQueue& m_queue;
    const Primitive& m_primitive;
    Want m_want;
    const ReadContext* m_context;
    // The replies, to which m_setting and the entries refer.
    std::vector<Reply> m_first;
    std::vector<Reply> m_second;
    std::vector<Reply> m_ofJobs;
    std::vector<Reply> m_further;
    QueueSetting m_setting;
    std::vector<JobsKey> m_keys;
    std::vector<std::optional<qint64>> m_counts;
    std::vector<qint64> m_weights; ///< bytes of the key; 0 if not read
    std::vector<std::pair<size_t, Command>> m_pages;
    std::vector<Entry> m_entries;
    std::vector<size_t> m_lengths; ///< how many of the current replies are of each entry
    std::vector<size_t> m_valued;  ///< the entries whose values are read
    std::vector<QByteArray> m_ended;
    qint64 m_bytes = 0;
};

} // namespace lk

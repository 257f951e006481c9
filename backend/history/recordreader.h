// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordqueries.h"

#include <QObject>

#include <functional>

namespace lk {

/// RecordQueries for callers that must not block. Lives in a worker thread with its own connection.
class RecordReader final : public QObject
{
    Q_OBJECT

public:
    explicit RecordReader(QString path);
    ~RecordReader() override;

public slots:
    /// Runs work in this thread; call it through the event loop. Does not run it if there is no
    /// recording.
    void ask(const std::function<void(lk::RecordQueries&)>& work);

signals:
    /// The file exists and cannot be opened, or is damaged: some answers are missing. Emitted once
    /// until it can be read again.
    void failed(const lk::Error& error);

private:
    RecordQueries* queries();
    void tell(const Error& error);

    QString m_path;
    std::unique_ptr<RecordQueries> m_queries;
    bool m_failed = false; ///< emitted for this file
};

} // namespace lk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journal.h"

#include <QObject>

#include <memory>

namespace lk {

using JournalPtr = std::shared_ptr<const Journal::Contents>;

/// Reads the journal in the worker thread: the disk may be slow, and the file long.
class JournalReader final : public QObject
{
    Q_OBJECT

public:
    explicit JournalReader(const QString& path);

public slots:
    void read();

signals:
    void contentsRead(const lk::JournalPtr& contents);
    void failed(const lk::Error& error);

private:
    Journal m_journal;
};

} // namespace lk

Q_DECLARE_METATYPE(lk::JournalPtr)

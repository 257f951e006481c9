// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "widgets/controls/inlinemessage.h"

#include <functional>

class QLineEdit;

namespace lk {

/// A file's path, a button to choose one, and under them what the file is or what is wrong with it.
class FileField final : public QWidget
{
    Q_OBJECT

public:
    /// Looks into a file (small, local) and says in a sentence what it found.
    using Inspect = std::function<Result<QString>(const QString& path)>;

    /// What stands on it; all translated.
    struct Words
    {
        QString name;  ///< for screen readers and the file dialog's title
        QString hint;  ///< shown under an empty field
        QString types; ///< of the file dialog, as "TOML (*.toml)"
    };

    FileField(Words words, Inspect inspect, QWidget* parent = nullptr);

    QString path() const;
    void setPath(const QString& path);
    /// True for an empty path and for a file that inspect accepts; looks anew.
    bool check();
    QLineEdit* line() const { return m_line; } ///< a label's buddy
    QString message() const { return m_message->text(); }

signals:
    void changed();

private:
    void choose();

    Words m_words;
    Inspect m_inspect;
    QLineEdit* m_line;
    InlineMessage* m_message;
};

} // namespace lk

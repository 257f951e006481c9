// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "widgets/controls/inlinemessage.h"

#include <functional>

class QLineEdit;

namespace lk {

/// A file's path, a button to choose one, and below a description of the file or the error.
class FileField final : public QWidget
{
    Q_OBJECT

public:
    /// Inspects a file (small, local) and describes it in a sentence.
    using Inspect = std::function<Result<QString>(const QString& path)>;

    /// The texts of the field; all translated.
    struct Words
    {
        QString name;  ///< for screen readers and the file dialog's title
        QString hint;  ///< shown under an empty field
        QString types; ///< the file dialog's filter: "TOML (*.toml)"
    };

    FileField(Words words, Inspect inspect, QWidget* parent = nullptr);

    QString path() const;
    void setPath(const QString& path);
    /// Returns true for an empty path and for a file that inspect accepts. Inspects the file again.
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

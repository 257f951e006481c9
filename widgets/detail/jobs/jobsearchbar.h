// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace lk {

/// The search among a queue's jobs, and its progress.
class JobSearchBar final : public QWidget
{
    Q_OBJECT

public:
    explicit JobSearchBar(QWidget* parent = nullptr);

    QString text() const;
    void setText(const QString& text); ///< looks for it at once
    void clear();                      ///< says nothing of it
    /// Null: nothing is looked for.
    void showFound(const JobsFoundPtr& found);

    /// "42 found, searched 10,000 of 250,000". Pure.
    static QString progressText(const JobsFound& found);

signals:
    void wanted(const QString& text); ///< shortly after the last key
    void moreWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLineEdit* m_field;
    QLabel* m_progress;
    QToolButton* m_more;
    QTimer m_typed;
};

} // namespace lk

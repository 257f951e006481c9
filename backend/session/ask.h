// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaObject>

#include <utility>

namespace lk {

/// Calls question(*object) in the object's thread, later if that is another one. Does nothing
/// without an object.
template<typename Object, typename Question> void ask(Object* object, Question question)
{
    if (object)
        QMetaObject::invokeMethod(object,
                                  [object, question = std::move(question)] { question(*object); });
}

} // namespace lk

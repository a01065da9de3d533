/* What the machine code of kernels needs while it runs: memory, arrays, and the choice of a signature.

Numba compiles a kernel to a function that takes a tuple of Python objects and returns one. That function calls for
what its own runtime gives it; this file gives the same, without Numba. It includes no header of Python or numpy: it uses
functions of Python's stable interface, and two structures of numpy that have been the same since its release 2.0.
`ibidem.kernels.machine_code` compares both with what a program runs with before it loads a library, and owns every name here. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Object Object;
typedef void (*Destructor)(void *data, size_t size, void *details);

extern Object *PyBytes_FromStringAndSize(const char *bytes, intptr_t size);
extern Object *PyCapsule_New(void *pointer, const char *name, void (*destructor)(Object *));
extern void *PyCapsule_GetPointer(Object *capsule, const char *name);
extern void PyErr_Clear(void);
extern void PyErr_SetString(Object *type, const char *message);
extern Object *PyErr_Occurred(void);
extern long long PyLong_AsLongLong(Object *number);
extern Object *PyObject_Call(Object *function, Object *arguments, Object *names);
extern Object *PyObject_CallFunctionObjArgs(Object *function, ...);
extern Object *PyTuple_GetItem(Object *tuple, intptr_t index);
extern intptr_t PyTuple_Size(Object *tuple);
extern int PyType_IsSubtype(Object *type, Object *of);
extern void Py_DecRef(Object *object);
extern void Py_IncRef(Object *object);
extern Object *PyExc_SystemError;

/* The structures of Python and numpy. */

struct Object {
    intptr_t references;
    Object *type;
};

typedef struct {
    Object head, *scalar;
    char kind, letter, byte_order, flags;
    int number;
    uint64_t more_flags;
    intptr_t item_size;
} DataType;

typedef struct {
    Object head;
    char *data;
    int dimensions;
    intptr_t *shape, *strides;
    Object *base;
    DataType *data_type;
    int flags;
} Array;

enum { C_ORDER = 1, FORTRAN_ORDER = 2, ALIGNED = 0x100, WRITEABLE = 0x400 };

/* What `start` is given: types, and functions of numpy and of `ibidem.kernels.machine_code`. */

static struct Host {
    Object *array, *boolean, *floating, *integer;
    Object *scalars[11]; /* the types of numpy's scalars, by Kind */
    Object *(*new_array)(Object *type, DataType *, int, const intptr_t *, const intptr_t *, void *, int, Object *);
    int (*set_base)(Object *array, Object *base);
    Object *unpickle, *raise;
} host;

void ibidem_start(const struct Host *given) { host = *given; }

/* Memory. A kernel reads the first five fields by their places, and counts references itself. */

typedef struct {
    size_t references;
    Destructor destructor;
    void *details, *data;
    size_t size;
    int apart; /* the data is an allocation of its own, which can grow */
} Memory;

void *NRT_Allocate(size_t size) { return malloc(size); }

void NRT_Free(void *memory) { free(memory); }

static Memory *new_memory(Memory *memory, void *data, size_t size, int apart) {
    if (memory != NULL)
        *memory = (Memory){1, NULL, NULL, data, size, apart};
    return memory;
}

void *NRT_MemInfo_alloc_aligned(size_t size, unsigned int alignment) {
    char *memory = size > SIZE_MAX / 2 ? NULL : malloc(sizeof(Memory) + size + alignment);
    if (memory == NULL)
        return NULL;
    uintptr_t data = (uintptr_t)memory + sizeof(Memory);
    data += (alignment - data % alignment) % alignment;
    return new_memory((Memory *)memory, (void *)data, size, 0);
}

void *NRT_MemInfo_alloc(size_t size) { return NRT_MemInfo_alloc_aligned(size, 16); }

void *NRT_MemInfo_new_varsize_dtor(size_t size, Destructor destructor) {
    void *data = malloc(size);
    Memory *memory = data == NULL ? NULL : new_memory(malloc(sizeof(Memory)), data, size, 1);
    if (memory == NULL)
        free(data);
    else
        memory->destructor = destructor;
    return memory;
}

void *NRT_MemInfo_varsize_realloc(Memory *memory, size_t size) {
    void *data = realloc(memory->data, size);
    if (data != NULL) {
        memory->data = data;
        memory->size = size;
    }
    return data;
}

void NRT_MemInfo_call_dtor(Memory *memory) {
    if (memory->destructor != NULL)
        memory->destructor(memory->data, memory->size, memory->details);
    if (memory->apart)
        free(memory->data);
    free(memory);
}

static void release(Object *capsule) {
    Memory *memory = PyCapsule_GetPointer(capsule, NULL);
    if (__atomic_sub_fetch(&memory->references, 1, __ATOMIC_ACQ_REL) == 0)
        NRT_MemInfo_call_dtor(memory);
}

/* Arrays, as kernels see them: the shape and the strides follow the data. */

typedef struct {
    Memory *memory; /* NULL: it belongs to `parent` */
    Object *parent;
    intptr_t items, item_size;
    void *data;
    intptr_t shape_and_strides[];
} View;

int NRT_adapt_ndarray_from_python(Array *array, View *view) {
    view->memory = NULL;
    view->parent = (Object *)array; /* the tuple of arguments holds it while the kernel runs */
    view->item_size = array->data_type->item_size;
    view->data = array->data;
    view->items = 1;
    for (int axis = 0; axis < array->dimensions; axis++) {
        view->items *= array->shape[axis];
        view->shape_and_strides[axis] = array->shape[axis];
        view->shape_and_strides[array->dimensions + axis] = array->strides[axis];
    }
    return 0;
}

/* The kernel lets go of its own reference to the memory afterwards. */
Object *NRT_adapt_ndarray_to_python_acqref(View *view, Object *type, int dimensions, int writeable, DataType *data_type) {
    (void)type;
    Object *base = view->parent;
    if (view->memory != NULL) {
        __atomic_add_fetch(&view->memory->references, 1, __ATOMIC_ACQ_REL);
        base = PyCapsule_New(view->memory, NULL, release);
    } else if (base != NULL)
        Py_IncRef(base);
    else
        PyErr_SetString(PyExc_SystemError, "a kernel returned an array that nothing owns");
    if (base == NULL)
        return NULL;
    Py_IncRef((Object *)data_type);
    intptr_t *shape = view->shape_and_strides;
    Object *array = host.new_array(host.array, data_type, dimensions, shape, shape + dimensions, view->data,
                                   writeable ? WRITEABLE : 0, NULL);
    if (array == NULL || host.set_base(array, base) < 0) {
        if (array == NULL)
            Py_DecRef(base);
        else
            Py_DecRef(array);
        return NULL;
    }
    return array;
}

/* The strides of a reshaped array: it is done for what is in order, and refused for the rest. */
int numba_attempt_nocopy_reshape(intptr_t dimensions, const intptr_t *shape, const intptr_t *strides,
                                 intptr_t new_dimensions, const intptr_t *new_shape, intptr_t *new_strides,
                                 intptr_t item_size, int fortran_order) {
    intptr_t stride = item_size, items = 1, new_items = 1;
    for (intptr_t axis = dimensions - 1; axis >= 0; axis--) {
        if (shape[axis] != 1 && strides[axis] != item_size * items)
            return 0;
        items *= shape[axis];
    }
    for (intptr_t axis = new_dimensions - 1; axis >= 0; axis--) {
        new_strides[axis] = stride;
        stride *= new_shape[axis];
        new_items *= new_shape[axis];
    }
    return !fortran_order && items == new_items;
}

/* Constants, and the exceptions that a kernel raises. */

Object *numba_unpickle(const char *bytes, int size, void *digest) {
    (void)digest;
    Object *pickled = PyBytes_FromStringAndSize(bytes, size);
    if (pickled == NULL)
        return NULL;
    Object *value = PyObject_CallFunctionObjArgs(host.unpickle, pickled, NULL);
    Py_DecRef(pickled);
    return value;
}

int numba_do_raise(Object *exception) {
    Object *nothing = PyObject_CallFunctionObjArgs(host.raise, exception, NULL);
    Py_DecRef(exception);
    if (nothing != NULL)
        Py_DecRef(nothing);
    return 0;
}

Object *numba_runtime_build_excinfo_struct(void *details, Object *arguments) {
    (void)details, (void)arguments;
    PyErr_SetString(PyExc_SystemError, "a kernel raised an exception whose arguments it made as it ran");
    return NULL;
}

/* The choice of a signature. A kernel is a row of signatures; types are written as `ibidem.kernels.machine_code` says. */

enum { BOOLEAN, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FLOAT32, FLOAT64, ARRAY, NAMED };

typedef Object *(*Entry)(Object *closure, Object *arguments, Object *names);

typedef struct {
    Entry entry;
    intptr_t count;
    const intptr_t *types;
} Signature;

typedef struct {
    Object *otherwise;
    intptr_t count;
    Signature signatures[];
} KernelTable;

static int is_scalar(Object *object, intptr_t kind) {
    Object *type = object->type;
    if (type == host.scalars[kind])
        return 1;
    if (kind == BOOLEAN)
        return type == host.boolean;
    if (kind == FLOAT64)
        return type == host.floating;
    if (kind != INT64 || type != host.integer)
        return 0;
    if (PyLong_AsLongLong(object) == -1 && PyErr_Occurred() != NULL) {
        PyErr_Clear(); /* it needs more bits */
        return 0;
    }
    return 1;
}

/* The types of an array: letter of its kind, size of an item, dimensions, flags that matter, and their values. */
static int is_array(Object *object, const intptr_t *type) {
    if (object->type != host.array && !PyType_IsSubtype(object->type, host.array))
        return 0;
    const Array *array = (const Array *)object;
    const DataType *data_type = array->data_type;
    return data_type->kind == type[0] && data_type->item_size == type[1] && array->dimensions == type[2] &&
           (array->flags & type[3]) == type[4] && (data_type->byte_order == '=' || data_type->byte_order == '|');
}

/* Looks whether an object is of a type; returns where the next type begins, or NULL. */
static const intptr_t *match(Object *object, const intptr_t *type) {
    if (*type == ARRAY)
        return is_array(object, type + 1) ? type + 6 : NULL;
    if (*type != NAMED)
        return is_scalar(object, *type) ? type + 1 : NULL;
    if (object->type != (Object *)type[1] || PyTuple_Size(object) != type[2])
        return NULL;
    intptr_t count = type[2];
    type += 3;
    for (intptr_t item = 0; item < count && type != NULL; item++)
        type = match(PyTuple_GetItem(object, item), type);
    return type;
}

static int matches(const Signature *signature, Object *arguments) {
    if (PyTuple_Size(arguments) != signature->count)
        return 0;
    const intptr_t *type = signature->types;
    for (intptr_t item = 0; item < signature->count && type != NULL; item++)
        type = match(PyTuple_GetItem(arguments, item), type);
    return type != NULL;
}

Object *ibidem_call(Object *capsule, Object *arguments) {
    const KernelTable *kernel = PyCapsule_GetPointer(capsule, NULL);
    for (intptr_t number = 0; number < kernel->count; number++)
        if (matches(kernel->signatures + number, arguments))
            return kernel->signatures[number].entry(NULL, arguments, NULL);
    return PyObject_Call(kernel->otherwise, arguments, NULL);
}

/* What the index beside the library has to say, too. */
const char ibidem_build[] = IBIDEM_BUILD;
